import { appendFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadSource } from '../experiment/report/read/loadSource.ts';
import { compareAddress, sessionAddress } from '../experiment/report/read/htmlReport.ts';
import { keepPlan } from '../experiment/runner/keepPlan.ts';
import { logDirOf } from '../node/logFiles.ts';
import { finishedSessions } from '../experiment/runner/finishedSessions.ts';
import { formatVerdicts } from '../experiment/runner/formatOutcome.ts';
import { writeSimulated } from '../experiment/runner/simulated/playSimulated.ts';
import { valueOf } from '../src/shared/result.ts';
import type { CampaignPlan, PlannedSession } from '../experiment/design/plan.ts';
import { planCampaign } from '../experiment/design/planCampaign.ts';
import { startingFile } from '../experiment/design/startingFile.ts';
import { networkProfiles } from '../src/network/profiles/registry.ts';
import { pick } from '../src/shared/registry.ts';
import { answerHtml, answerMarkdown } from '../experiment/report/html/answerHtml.ts';
import { reportHtml } from '../experiment/report/html/reportHtml.ts';
import { answerOf, reportModel, type ReportModel } from '../experiment/report/model/reportModel.ts';
import type { ReportSource } from '../experiment/report/reportSource.ts';
import { reportCsv, sessionsCsv, reportJson } from '../experiment/report/text/reportData.ts';
import { reportMarkdown } from '../experiment/report/text/markdown.ts';
import { envivio } from '../src/sim/envivio.ts';

const root = mkdtempSync(path.join(tmpdir(), 'pitwall-report-'));
const whole = path.join(root, 'whole');
const network = 'np2b-typical-delay-typical-loss';
const plan: CampaignPlan = valueOf(
  planCampaign(
    {
      ...startingFile,
      about: 'Sheep & <script>alert(1)</script>',
      rules: ['throughput'],
      transports: ['h2', 'h3-only'],
      profiles: [network],
      phase: 'drawn',
      repeats: 10,
      seeds: [1],
      seconds: 20,
      primary: 'mean-bitrate',
      margin: 10,
    },
    [{ name: network, profile: pick(networkProfiles, network) }],
  ),
);
const quic = plan.sessions.filter(({ transport }) => transport === 'h3-only');

beforeAll(async () => {
  keepPlan(whole, plan);
  mkdirSync(logDirOf(whole));
  const contents = { demo: { ...envivio, manifestBytes: 3000 } };
  const about = { seconds: plan.campaign.seconds, preset: 'experiment', contents };
  const { sessions, networks } = plan;
  await writeSimulated(
    { ...about, sessions, networks, logDir: logDirOf(whole) },
    { from: 0, to: sessions.length },
  );
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** A copy of the whole campaign in which something went wrong. */
function invalidated(
  name: string,
  spoil: (fileOf: (session: PlannedSession, end?: string) => string) => void,
): string {
  const folder = path.join(root, name);
  cpSync(whole, folder, { recursive: true });
  spoil(({ id }, end = 'json') => path.join(logDirOf(folder), `${id}.${end}`));
  return folder;
}

const modelOf = async (folder: string): Promise<ReportModel> => reportModel(await loadSource(folder));
const changed = (
  source: ReportSource,
  valueOf: (session: ReportSource['sessions'][number]) => number | null,
): ReportModel =>
  reportModel({
    ...source,
    sessions: source.sessions.map((session) => ({
      ...session,
      values: { ...session.values, 'mean-bitrate': valueOf(session) },
    })),
  });

describe('a whole campaign', () => {
  test('gives the verdict that its table gives', async () => {
    const { verdicts, counts, warnings } = await modelOf(whole);
    expect(counts).toMatchObject({ planned: 20, finished: 20, used: 20, pairs: 10, comparisons: 1 });
    expect(verdicts).toHaveLength(1);
    const [line] = verdicts;
    const there = formatVerdicts(plan, finishedSessions(plan, whole))
      .split('\n')
      .find((text) => text.includes('h3-only against h2'))!;
    const [, difference, won, pairs] = /: ([+−\d.]+) kbit\/s, .* won (\d+).*? of (\d+) pairs?,/.exec(there)!;
    expect(line).toMatchObject({ won: Number(won), pairs: { compared: Number(pairs) } });
    expect(Math.abs(line!.difference! - Number(difference!.replace('−', '-')))).toBeLessThan(1);
    expect(line).toMatchObject({ judgement: { direction: 'cannot-tell', relevance: 'inside' } });
    expect(there).toContain('): equivalent: inside the margin of 10 kbit/s');
    expect(warnings).toEqual([
      expect.stringMatching(/^Simulated: /),
      expect.stringMatching(/^10 pairs, but 1 network: /),
    ]);
  });

  test('is one file of HTML that asks for nothing and runs nothing', async () => {
    const model = await modelOf(whole);
    const text = reportHtml(model, { styles: 'p { color: red }', logAddress: sessionAddress(whole, whole) });
    expect(text).not.toMatch(/<script|<link|<img|<iframe|@import|url\(/i);
    expect(text).toContain('Sheep &amp; &lt;script&gt;alert(1)&lt;/script&gt;');
    expect([...text.matchAll(/\b(?:src|href)="(?!#|data:|whole\/sessions\/)[^"]*"/g)]).toEqual([]);
    expect(text.match(/<figure /g)).toHaveLength(model.figures.length);
    expect(model.figures.length).toBeGreaterThan(3);
    const ids = [...text.matchAll(/\bid="([^"]+)"/g)].map(([, id]) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    for (const [, target] of text.matchAll(/href="#([^"]+)"/g)) expect(ids).toContain(target);
    expect(text).not.toMatch(/NaN|undefined|\[object/);
  });

  test('has its answer on one page: claim, numbers, picture, scope, and commands that repeat it', async () => {
    const model = await modelOf(whole);
    const { claims, scope } = answerOf(model);
    const html = answerHtml(model, 'p { color: red }');
    const text = html.replace(/<[^>]*>/g, '').replaceAll('\u00a0', ' ');
    for (const part of [
      claims[0]!,
      ...model.warnings,
      scope.slice(1),
      'pitwall compare campaign.json --simulate',
    ])
      expect(text).toContain(part);
    expect(html).not.toMatch(/<script|<link|<img|<iframe|@import|url\(|NaN|undefined|\[object/i);
    expect(html).toContain('Sheep &amp; &lt;script&gt;alert(1)&lt;/script&gt;');
    expect(html.match(/<figure/g)).toHaveLength(1);
    const markdown = answerMarkdown({ ...model, campaign: { ...model.campaign, about: 'a```b<script>' } });
    expect(markdown.startsWith(`# ${claims[0]!.replaceAll('_', '\\_')}\n`)).toBe(true);
    const [, json = ''] = /```json\n([^`]*)\n```/.exec(markdown) ?? [];
    expect(JSON.parse(json)).toEqual({ ...model.campaign, about: 'a```b<script>' });
  });

  test('leads from each figure to its sessions side by side where a page is named', async () => {
    const model = await modelOf(whole);
    const logAddress = sessionAddress(whole, whole);
    const text = reportHtml(model, { styles: '', logAddress, compareAddress: compareAddress('../') });
    const links = [...text.matchAll(/href="\.\.\/\?([^"]*)">([^<]*)</g)];
    expect(links).toHaveLength(model.figures.length);
    const query = new URLSearchParams(links[0]![1]!.replaceAll('&amp;', '&'));
    const { sessions } = model.figures[0]!;
    expect(query.getAll('log')).toEqual(sessions.slice(0, 20).map((id) => `campaign/sessions/${id}.json`));
    expect(links[0]![2]).toBe(sessions.length > 20 ? 'The first 20 side by side' : 'Side by side');
  });

  test('is the same byte for byte when it is made again', async () => {
    const [first, second] = await Promise.all([modelOf(whole), modelOf(whole)]);
    expect(reportJson(second)).toBe(reportJson(first));
  });

  test('is written as Markdown, JSON and CSV from the same numbers', async () => {
    const model = await modelOf(whole);
    expect(reportMarkdown(model)).toContain(model.verdicts[0]!.sentence.replaceAll('_', '\\_'));
    expect(reportMarkdown(model)).not.toContain('<script');
    const read = JSON.parse(reportJson(model)) as ReportModel;
    expect(read.verdicts[0]!.difference).toBe(model.verdicts[0]!.difference);
    const lines = sessionsCsv(model).trimEnd().split('\r\n');
    expect(lines).toHaveLength(21);
    const tables = reportCsv(model);
    expect(tables.size).toBe(6 + model.thesis.length + model.figures.length);
    expect(tables.get('verdicts.csv')!.split('\r\n')[1]).toMatch(/^h3-only,h2,throughput,all,/);
  });

  test('has the thesis’ tables 5 to 7 and 10 in their layout', async () => {
    const { thesis, sessions } = await modelOf(whole);
    expect(thesis.map(({ id }) => id)).toEqual(['thesis-5-7-1', 'thesis-10']);
    const [, ten] = thesis;
    expect(ten!.columns.map(({ group }) => group)).toEqual([
      undefined,
      ...['typical delay, typical loss', 'typical delay, typical loss'],
    ]);
    const place = sessions.columns.findIndex(({ label }) => label === 'mean bitrate, kbit/s');
    const rates = sessions.rows.filter((row) => row[2] === 'h2').map((row) => Number(row[place]));
    expect(ten!.rows.find(([name]) => name === 'h2')![1]).toBeCloseTo(
      rates.reduce((sum, rate) => sum + rate, 0) / rates.length / 1000,
      9,
    );
  });
});

describe('what went wrong is reported in words', () => {
  test('an arm that did not start: counted, and said to be flattered', async () => {
    const folder = invalidated('starting', (fileOf) => {
      for (const session of quic.slice(0, 3)) {
        rmSync(fileOf(session));
        const line = { atUnixMs: 1, failure: 'stream-did-not-start', message: 'No frame came within 60 s.' };
        writeFileSync(fileOf(session, 'failures.jsonl'), `${JSON.stringify(line)}\n{"torn`);
      }
    });
    const { warnings, ran, verdicts, sessions } = await modelOf(folder);
    expect(warnings.join('\n')).toMatch(
      /never showed a frame or gave up: 3 of 10 of throughput\/h3-only\..*flatters/,
    );
    expect(ran.rows.find(([arm]) => arm === 'throughput/h3-only')).toEqual([
      ...['throughput/h3-only', 10, 7, 3, 0, 3],
    ]);
    expect(verdicts[0]!.leftOut).toMatch(/^Of 10 pairs left out: 3 with a missing log/);
    const row = sessions.rows.find(([id]) => id === quic[0]!.id)!;
    expect(row.slice(9, 11)).toEqual(['never-started', 'No frame came within 60 s.']);
  });

  test('a torn log, and one of another session: named, and nothing else is lost', async () => {
    const [torn, other] = quic as [PlannedSession, PlannedSession];
    const folder = invalidated('torn', (fileOf) => {
      writeFileSync(fileOf(torn), readFileSync(fileOf(torn), 'utf8').slice(0, -300));
      cpSync(fileOf(plan.sessions.find(({ transport }) => transport === 'h2')!), fileOf(other));
    });
    const { warnings, sessions, counts } = await modelOf(folder);
    expect(counts.finished).toBe(18);
    expect(warnings.join('\n')).toContain('Preliminary: 2 sessions of 20 have no log yet (2 with a file');
    const whyOf = (id: string) => sessions.rows.find(([name]) => name === id)!.slice(9, 11);
    expect(whyOf(torn.id)).toEqual(['unreadable', expect.stringMatching(/cut off|not JSON/)]);
    expect(whyOf(other.id)).toEqual([
      'unreadable',
      'This is the log of another session, or of another plan.',
    ]);
  });

  test('an arm of which nothing is there', async () => {
    const folder = invalidated('armless', (fileOf) => {
      for (const session of quic) rmSync(fileOf(session));
    });
    const model = await modelOf(folder);
    expect(model.verdicts[0]).toMatchObject({
      verdict: null,
      difference: null,
      leftOut: expect.stringContaining('10 with a missing log') as string,
    });
    expect(model.verdicts[0]!.sentence).toMatch(/^No verdict on h3-only against h2\. Only 0 of the 6 pairs/);
    expect(reportHtml(model, { styles: '', logAddress: null })).not.toMatch(/NaN|undefined/);
  });

  test('all values equal, and a metric that one arm, or both, never have', async () => {
    const source = await loadSource(whole);
    const single = {
      ...source,
      sessions: source.sessions.map((session) => ({ ...session, playbackHash: null })),
    };
    const equal = changed(single, () => 1000);
    expect(equal.verdicts[0]).toMatchObject({ verdict: 'equivalent', difference: 0, tied: 10 });
    const html = reportHtml(equal, { styles: '', logAddress: null });
    expect(html).not.toMatch(/NaN|Infinity/);
    const broken = changed(single, ({ transport }) => (transport === 'h2' ? null : 1000));
    expect(broken.verdicts[0]!.leftOut).toContain('10 without a value for h2');
    const none = changed(single, () => null);
    expect(none.verdicts[0]!.leftOut).toContain('10 without a value for either');
    expect(reportHtml(none, { styles: '', logAddress: null })).not.toMatch(/NaN|undefined/);
  });

  test('sessions that ended early', async () => {
    const source = await loadSource(whole);
    const sessions = source.sessions.map((session, index) =>
      index < 2 ? { ...session, lengthMs: 7000 } : session,
    );
    expect(reportModel({ ...source, sessions }).warnings.join('\n')).toContain(
      '2 sessions ended before 20 s (after 7 s)',
    );
  });

  test.each<[string, (folder: string) => void, RegExp]>([
    ['no folder', (folder) => rmSync(folder, { recursive: true }), /: There is no such folder\.$/],
    ['no campaign', () => undefined, /: This is not a campaign folder: it has no plan\.json/],
    [
      'an empty plan',
      (folder) => writeFileSync(path.join(folder, 'plan.json'), ''),
      /plan\.json: The plan is not valid JSON, or it is cut off/,
    ],
    [
      'null',
      (folder) => writeFileSync(path.join(folder, 'plan.json'), 'null'),
      /plan\.json: The plan has another version/,
    ],
    [
      'no sessions',
      (folder) => keepPlan(folder, { ...plan, sessions: [] }),
      /plan\.json: \/sessions should be a list/,
    ],
    [
      'a session that leads elsewhere',
      (folder) => keepPlan(folder, { ...plan, sessions: [{ ...quic[0]!, id: '../../elsewhere' }] }),
      /plan\.json: \/sessions\/0 is not a planned session\./,
    ],
    [
      'nothing played',
      (folder) => keepPlan(folder, plan),
      /: None of its 20 sessions has been played yet\.$/,
    ],
  ])('%s: one sentence', async (name, make, sentence) => {
    const folder = path.join(root, name.replaceAll(' ', '-'));
    mkdirSync(folder);
    make(folder);
    await expect(loadSource(folder)).rejects.toThrow(sentence);
  });

  test('only torn logs: the first is named', async () => {
    const folder = invalidated('all-torn', (fileOf) => {
      for (const session of plan.sessions) writeFileSync(fileOf(session), '{');
      appendFileSync(fileOf(quic[0]!, 'failures.jsonl'), '');
    });
    await expect(loadSource(folder)).rejects.toThrow(
      /None of its 20 sessions has a complete log; \S+: The file is/,
    );
  });
});
