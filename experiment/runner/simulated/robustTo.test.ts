import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { runSimulated } from './runSimulated.ts';
import { formatSimulated } from './formatNotSimulated.ts';
import { writeSimulated } from './playSimulated.ts';
import { finishedSessions } from '../finishedSessions.ts';
import { keepPlan } from '../keepPlan.ts';
import { logDirOf } from '../../../node/logFiles.ts';
import type { CampaignFile } from '../../design/campaignFile.ts';
import { networksOf } from '../../design/networks.ts';
import type { CampaignPlan } from '../../design/plan.ts';
import { planCampaign } from '../../design/planCampaign.ts';
import { startingFile } from '../../design/startingFile.ts';
import { networksToPlay, sessionsToPlay } from '../../design/variants.ts';
import { reportHtml } from '../../report/html/reportHtml.ts';
import { reportModel } from '../../report/model/reportModel.ts';
import { loadSource } from '../../report/read/loadSource.ts';
import { readKnownSessions } from '../../report/read/readKnownSessions.ts';
import { reportMarkdown } from '../../report/text/markdown.ts';
import { reportCsv, reportJson } from '../../report/text/reportData.ts';
import { envivio } from '../../../src/sim/envivio.ts';
import { valueOf } from '../../../src/shared/result.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'pitwall-robust-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const opening = ({ marginPercent: _, ...file }: CampaignFile): CampaignFile => file;
const base: CampaignFile = {
  ...opening(startingFile),
  repeats: 1,
  seeds: [1],
  leadInSeconds: 1,
  infer: 'network',
  robustTo: { variants: ['rtt'] },
};
const constant = (kbps: [number, number], rttMs: [number, number]): CampaignFile['profiles'] => [
  { profile: 'constant', kbps, rttMs, count: 12 },
];

/**
 * Planted. At 1 Mbit/s and 200 ms, segments arrive just fast enough for the rule throughput to keep the level of 720 kbit/s,
 * and `dynamic` begins below it. At 230 ms it keeps the level below.
 */
const turning: CampaignFile = {
  ...base,
  name: 'turning',
  rules: ['throughput', 'dynamic'],
  transports: ['h2'],
  profiles: constant([995, 1015], [198, 202]),
  seconds: 60,
  compare: 'rules',
  primary: 'mean-bitrate',
  margin: 10,
};
/** Planted. Far from the edges of both rules. */
const lasting: CampaignFile = {
  ...turning,
  name: 'lasting',
  rules: ['throughput', 'bola'],
  profiles: constant([1300, 1700], [190, 210]),
};
/** Planted. h3 saves one round trip of 98 to 102 ms, and of 113 to 117 ms where they are longer. */
const joining: CampaignFile = {
  ...base,
  name: 'joining',
  rules: ['throughput'],
  transports: ['h2', 'h3-only'],
  profiles: constant([20_000, 30_000], [98, 102]),
  seconds: 20,
  primary: 'join-time',
  margin: 107,
};

const contents = { demo: { ...envivio, manifestBytes: 3000 } };

/** Simulates a campaign in a folder of its own, as `pitwall compare --simulate` does. */
async function simulated(
  name: string,
  campaign: CampaignFile,
): Promise<{ outDir: string; plan: CampaignPlan }> {
  const outDir = path.join(folder, name);
  const plan = valueOf(planCampaign(campaign, networksOf(campaign)));
  keepPlan(outDir, plan);
  mkdirSync(logDirOf(outDir), { recursive: true });
  const { seconds, preset } = campaign;
  const sessions = sessionsToPlay(plan);
  const about = { seconds, preset, contents, networks: networksToPlay(plan), logDir: logDirOf(outDir) };
  await writeSimulated({ ...about, sessions }, { from: 0, to: sessions.length });
  return { outDir, plan };
}

async function printed(name: string, campaign: CampaignFile): Promise<string> {
  const { outDir, plan } = await simulated(name, campaign);
  return formatSimulated(plan, finishedSessions(plan, outDir), { metrics: [] });
}

describe('a verdict with round trips 15 % longer', () => {
  test('turns where a rule stands at the edge of a level', async () => {
    const text = await printed('turning', turning);
    expect(text).toMatch(
      /dynamic against throughput, mean bitrate: −240 .*: lower \(worse\), beyond the margin/,
    );
    expect(text).toMatch(
      /With round trips 15 % longer \(8 of 12 networks\): the direction turns, beyond the margin on the other side\. \+30\.\d+ kbit\/s/,
    );
  });

  test('survives far from the edges', async () => {
    const text = await printed('lasting', lasting);
    expect(text).toMatch(
      /bola against throughput, mean bitrate: \+1\d\d .*: higher \(better\), beyond the margin/,
    );
    expect(text).toMatch(
      /With round trips 15 % longer \(8 of 12 networks\): same direction, still beyond the margin\. \+1\d\d kbit\/s/,
    );
  });

  test('keeps its direction and becomes relevant where it is one round trip', async () => {
    const text = await printed('joining', joining);
    expect(text).toMatch(
      /h3-only against h2, join time: −99\.\d+ ms.*: lower \(better\), inside the margin of 107 ms/,
    );
    expect(text).toMatch(/: same direction, now beyond the margin\. −11[34]\.\d+ ms/);
    expect(await printed('wide', { ...joining, margin: 200 })).toContain(
      ': same direction, still inside the margin. ',
    );
  });

  test('cannot be told from four networks, which say nothing without that either', async () =>
    expect(await printed('few', { ...turning, robustTo: { variants: ['rtt'], pairs: 4 } })).toContain(
      'With round trips 15 % longer (4 of 12 networks): cannot tell with 4 networks; as first played, these networks say the same. ',
    ));
});

test('sessions that are played again are in no number of the campaign itself, and have a table of their own', async () => {
  const withoutVariants = ({ robustTo: _, ...file }: CampaignFile): CampaignFile => file;
  const one = await printed('with', turning);
  const other = await printed('without', withoutVariants(turning));
  const mine = one.split('\n').filter((line) => !/With round trips|played again|\+rtt/.test(line));
  for (const line of other.split('\n')) expect(mine).toContain(line);
  expect(one).toMatch(
    /pairs played again with round trips 15 % longer, which are no part of the table above:\n/,
  );
});

describe('a report', async () => {
  const { outDir, plan } = await simulated('report', joining);
  const source = await loadSource(outDir);
  const model = reportModel(source);
  const sentence = 'With round trips 15 % longer (8 of 12 networks): same direction, now beyond the margin.';

  test('has the sentences in every format', () => {
    expect(model.verdicts[0]!.robustTo).toEqual([{ variant: 'rtt', sentence }]);
    expect(reportHtml(model, { styles: '', logAddress: null })).toContain(sentence);
    expect(reportMarkdown(model)).toContain(`  - ${sentence}`);
    expect(reportJson(model)).toContain(sentence);
    expect(reportHtml(model, { styles: '', logAddress: null })).toContain(
      'Verdicts in numbers, with round trips',
    );
    expect([...reportCsv(model).keys()]).toEqual(
      expect.arrayContaining(['verdicts-rtt.csv', 'cells-rtt.csv', 'sessions-rtt.csv']),
    );
  });

  test('counts and draws the sessions of the campaign alone', async () => {
    expect(model.counts).toMatchObject({ planned: 24, finished: 24, pairs: 12 });
    expect(model.sessions.rows).toHaveLength(24);
    expect(model.variants![0]!.sessions.rows).toHaveLength(16);
    expect(JSON.stringify({ ...model, variants: null })).not.toContain('+rtt');
    const { sessions } = await readKnownSessions([outDir]);
    expect(sessions).toHaveLength(24);
    expect(plan.variants![0]!.sessions).toHaveLength(16);
  });

  test('says how many of the pairs are not there yet', async () => {
    for (const { id } of plan.variants![0]!.sessions.slice(0, 6))
      rmSync(path.join(logDirOf(outDir), `${id}.json`));
    const { verdicts, warnings } = reportModel(await loadSource(outDir));
    expect(verdicts[0]!.robustTo![0]!.sentence).toBe(
      'With round trips 15 % longer (5 of 12 networks): cannot tell with 5 networks; of 8 pairs left out: 3 with a missing log.',
    );
    expect(warnings.join()).not.toContain('Preliminary');
  });

  test('of a plan with a variant that is none is refused in one sentence', async () => {
    const at = path.join(folder, 'broken');
    mkdirSync(at);
    for (const variant of [
      null,
      { ...plan.variants![0]!, variant: 'none' },
      { ...plan.variants![0]!, sessions: [{ id: '../../x', design: plan.sessions[0]!.design }] },
    ]) {
      writeFileSync(path.join(at, 'plan.json'), JSON.stringify({ ...plan, variants: [variant] }));
      await expect(loadSource(at)).rejects.toThrow(
        /plan\.json: \/variants\/0 is not a variant of this version\.$/,
      );
    }
  });
});

test('rows of metrics are refused: nothing would be played again', async () => {
  const file = path.join(folder, 'rows.json');
  writeFileSync(file, JSON.stringify(joining));
  await expect(runSimulated({ file, rows: true, metrics: [], out: folder })).rejects.toThrow(
    'rows.json: /robustTo: Variants need session logs: leave out "robustTo", or --rows.',
  );
});
