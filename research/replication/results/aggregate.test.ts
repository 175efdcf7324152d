import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Aggregate, resultsFault } from './aggregate.ts';
import { aggregateOf, aggregatePapers, formatAggregate } from './aggregatePapers.ts';
import { campaignFiles } from '../campaignFiles.ts';
import { formatOverview } from '../pages/writePages.ts';
import type { Claim, PaperCampaign } from '../paperCampaign.ts';
import { paperPage } from '../pages/paperPage.ts';
import { readPaperCampaign } from '../readPaperCampaign.ts';
import { formatResults } from '../pages/formatResults.ts';
import { keepPlan } from '../../../experiment/runner/keepPlan.ts';
import { logDirOf } from '../../../node/logFiles.ts';
import { writeSimulated } from '../../../experiment/runner/simulated/playSimulated.ts';
import { loadSource } from '../../../experiment/report/read/loadSource.ts';
import { valueOf } from '../../../src/shared/result.ts';
import type { CampaignFile } from '../../../experiment/design/campaignFile.ts';
import { planCampaign } from '../../../experiment/design/planCampaign.ts';
import { startingFile } from '../../../experiment/design/startingFile.ts';
import { DEFINITIONS_VERSION } from '../../../src/analysis/metrics/definitionChanges.ts';
import { networkProfiles } from '../../../src/network/profiles/registry.ts';
import { pick } from '../../../src/shared/registry.ts';
import { reportModel } from '../../../experiment/report/model/reportModel.ts';
import { REGISTRATION_SCHEMA, registrationReport } from '../../../experiment/report/registered.ts';
import type { ReportSource } from '../../../experiment/report/reportSource.ts';
import { envivio } from '../../../src/sim/envivio.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'pitwall-papers-'));
const root = fileURLToPath(new URL('../../..', import.meta.url));
const network = 'np2b-typical-delay-typical-loss';
const file: CampaignFile = {
  ...startingFile,
  name: '2018-thesis-table-10',
  rules: ['sara'],
  transports: ['h2', 'h3-only'],
  profiles: [network],
  phase: 'drawn',
  repeats: 10,
  seeds: [1],
  seconds: 20,
  per: 'network',
  primary: 'mean-bitrate',
  margin: 10,
};
const plan = valueOf(planCampaign(file, [{ name: network, profile: pick(networkProfiles, network) }]));
let source: ReportSource;

beforeAll(async () => {
  keepPlan(folder, plan);
  mkdirSync(logDirOf(folder));
  const about = {
    seconds: file.seconds,
    preset: 'experiment',
    contents: { demo: { ...envivio, manifestBytes: 3000 } },
  };
  const { sessions, networks } = plan;
  const task = { ...about, sessions, networks, logDir: logDirOf(folder) };
  await writeSimulated(task, { from: 0, to: sessions.length });
  source = await loadSource(folder);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** As if a metric were 1000 over h2, and over h3-only so much more in each repeat. */
function measuring(more: Readonly<Record<string, (repeat: number) => number>>): Aggregate {
  const sessions = source.sessions.map(({ values, ...session }) => {
    const moreOf = (of: (repeat: number) => number): number =>
      session.transport === 'h2' ? 0 : of(session.design.repeat);
    const changed = Object.entries(more).map(([metric, of]) => [metric, 1000 + moreOf(of)] as const);
    return { ...session, playbackHash: null, values: { ...values, ...Object.fromEntries(changed) } };
  });
  const changed = { ...source, sessions };
  return aggregateOf(changed, reportModel(changed));
}

/** As if h3-only had so much more than h2, with a little spread. */
const shifted = (metric: string, shift: number): Aggregate =>
  measuring({ [metric]: (repeat) => (shift === 0 ? 0 : shift + repeat) });

const claim = (changes: Partial<Claim> = {}): Claim => ({
  metric: 'mean-bitrate',
  first: 'h3-only',
  second: 'h2',
  within: 'sara',
  network,
  expects: 'higher',
  says: '2 against 1 Mbit/s (Table 0)',
  ...changes,
});

const paper: PaperCampaign = {
  id: '2018-thesis-table-10',
  label: 'Table 0',
  place: null,
  metrics: ['mean-bitrate', 'rebuffer-rate'],
  claims: [claim()],
};

test('what is kept is small, whole, and has means as its sessions', () => {
  const aggregate = aggregateOf(source, reportModel(source));
  const text = formatAggregate(aggregate);
  expect(text.length).toBeLessThan(60_000);
  expect(text).not.toContain(folder);
  expect(aggregate.counts).toMatchObject({ planned: 20, finished: 20, pairs: 10 });
  const rates = source.sessions
    .filter(({ transport }) => transport === 'h2')
    .map(({ values }) => values['mean-bitrate']!);
  expect(aggregate.arms.find(({ arm }) => arm === 'sara/h2')).toMatchObject({ network, sessions: 10 });
  expect(aggregate.arms.find(({ arm }) => arm === 'sara/h2')!.means['mean-bitrate']).toBeCloseTo(
    rates.reduce((sum, rate) => sum + rate, 0) / 10,
    9,
  );
});

test('a time since 1970 keeps its day', () => {
  const aggregate = measuring({});
  const firstUnixMs = Date.UTC(2026, 10, 22) - 0.25;
  const read = JSON.parse(
    formatAggregate({ ...aggregate, counts: { ...aggregate.counts, firstUnixMs } }),
  ) as Aggregate;
  expect(Math.abs(read.counts.firstUnixMs! - firstUnixMs)).toBeLessThan(1);
});

test('as a file it is the same to seven digits, and formatResults cannot tell', () => {
  const aggregate = shifted('mean-bitrate', 100);
  const read = JSON.parse(formatAggregate(aggregate)) as Aggregate;
  expect(read.campaign).toEqual(aggregate.campaign);
  expect(read.counts).toEqual({ ...aggregate.counts, recordedMs: read.counts.recordedMs });
  expect(read.counts.recordedMs).toBeCloseTo(aggregate.counts.recordedMs, 0);
  expect(read.exploratory.rows.length).toBe(aggregate.exploratory.rows.length);
  const kept = read.arms.map(({ means }) => means['mean-bitrate']!);
  for (const [index, { means }] of aggregate.arms.entries())
    expect(kept[index]! / means['mean-bitrate']! - 1).toBeLessThan(1e-6);
  expect(formatResults(paper, read)).toBe(formatResults(paper, aggregate));
});

test('results in words come from what is kept alone', () => {
  const text = formatResults(paper, shifted('mean-bitrate', 100));
  expect(text).toContain('**Ran**: 20 sessions of 20 finished · 10 pairs');
  expect(text).toMatch(/\| average bitrate|\| mean bitrate: h3-only against h2 \(sara, np2b-/);
  expect(text).toContain('| higher: 2 against 1 Mbit/s (Table 0) |');
  expect(text).toContain('layout of the thesis’ table 10');
  expect(text).toContain('Claims of the paper: 1 same.');
  expect(text).not.toMatch(/undefined|NaN|\[object/);
});

test('results that were computed with older definitions say so of the metrics that they show', () => {
  const today = measuring({});
  const { definitions, ...older } = today;
  expect(definitions).toBe(DEFINITIONS_VERSION);
  const shown = { ...paper, metrics: ['tcp-share', 'throughput'] };
  expect(formatResults(shown, older)).toContain(
    '> **Note:** Computed with the definition before 2026-11-25 of throughput: the time was the sum ',
  );
  expect(formatResults(shown, today)).not.toContain('Computed with the definition');
  expect(formatResults({ ...paper, metrics: ['tcp-share'] }, older)).not.toContain('of throughput: ');
});

test('the overview says in a line what was played, what not, and what came of the claims', () => {
  const results = { scaled: shifted('mean-bitrate', 100), full: null };
  const claims = [claim(), claim({ expects: 'lower' }), claim({ network: 'dvl' })];
  const reproduction = { campaign: { ...paper, claims }, scaled: file, full: file, results };
  expect(
    formatOverview([[{ id: 'page', label: 'A paper', campaigns: [], parts: [] }, [reproduction]]]),
  ).toContain(
    '| [2018-thesis-table-10](page.md) | Table 0 | 20 of 20 sessions, 8 min 35 s | 1 same · 1 opposite | not run |  |',
  );
});

test('a page without a place for its results is refused', () => {
  const reproduction = { campaign: paper, scaled: file, full: file, results: { scaled: null, full: null } };
  expect(() => paperPage('# A page', [reproduction])).toThrow(
    'The page has no marks for 2018-thesis-table-10',
  );
  const page =
    '# A\n\n<!-- results of 2018-thesis-table-10 -->\nold\n<!-- end of 2018-thesis-table-10 -->\n\nB\n';
  const written = paperPage(page, [reproduction]);
  expect(written).toMatch(
    /^# A\n\n<!-- results of [\s\S]*Scaled down: \*\*not run\*\*\. 20 sessions of 20 s[\s\S]*\n\nB\n$/,
  );
  expect(written).not.toContain('old');
  expect(paperPage(written, [reproduction])).toBe(written);
});

test('keeps what was registered before the first session', () => {
  const registered = {
    schema: REGISTRATION_SCHEMA,
    registeredAt: '2026-11-24T23:30:00.000Z',
    pitwallVersion: '0.1.0',
    planSha256: 'a',
    analysisSha256: 'b',
    claimsSha256: 'c',
  } as const;
  const registration = registrationReport([registered], { ...registered, claimsSha256: 'x' });
  const held = { ...source, registration };
  const aggregate = aggregateOf(held, reportModel(held));
  expect(aggregate.registration).toEqual(registration);
  expect(aggregate.warnings.join()).toContain('the claims have changed since.');
});

describe('what becomes a result', () => {
  const id = '2018-thesis-table-10';
  const real = playedBy({ simulator: null });
  function playedBy(environment: { simulator: string | null }) {
    const session = { environment } as unknown as ReportSource['sessions'][number];
    return async (changes: Partial<CampaignFile> = {}) => {
      const campaign = await readPaperCampaign(campaignFiles(root, { id }).scaled);
      const { plan: own } = source;
      return {
        plan: { ...own, campaign: { ...campaign, ...changes } },
        sessions: [session],
        aaSessions: [],
        flagged: [],
      };
    };
  }

  test('the committed campaign, really played', async () => {
    expect(await resultsFault(await real(), root)).toBeNull();
  });

  test.each<[string, Partial<CampaignFile>, string]>([
    [
      'another version of it',
      { repeats: 9 },
      'Its plan differs from the present campaigns/2018-thesis-table-10.json.',
    ],
    [
      'another campaign',
      { name: 'mine' },
      'Its campaign "mine" belongs to no paper. Run pitwall papers list.',
    ],
  ])('not %s', async (_, changes, sentence) => {
    expect(await resultsFault(await real(changes), root)).toBe(sentence);
  });

  test('not simulated sessions', async () => {
    expect(await resultsFault(await playedBy({ simulator: 'player' })(), root)).toBe(
      '1 of its sessions are simulated; results of papers need real sessions.',
    );
    await expect(aggregatePapers({ folders: [folder], out: 'runs', root })).rejects.toThrow(
      `${folder}: Its plan differs from the present `,
    );
  });
});
