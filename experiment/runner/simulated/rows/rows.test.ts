import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chunkFile, isWhole, rowColumns, chunkPlayer } from './chunkFiles.ts';
import { readRows } from './readRows.ts';
import { formatVersions, formatProgress, rowProgress } from './runRows.ts';
import { PITWALL_VERSION } from '../../../../src/telemetry/schema/versions.ts';
import {
  chunkNamed,
  chunksOf,
  keepRowPlan,
  refuseOtherRows,
  refuseSameIds,
  rowCampaign,
} from './rowCampaign.ts';
import { formatSimulated } from '../formatNotSimulated.ts';
import { writeSimulated } from '../playSimulated.ts';
import { finishedSessions } from '../../finishedSessions.ts';
import { keepPlan } from '../../keepPlan.ts';
import { expandedPlan } from '../../../resolve/resolve.ts';
import { readPlan } from '../../../report/read/readSummaries.ts';
import { logDirOf, logFilesIn, rowDirOf } from '../../../../node/logFiles.ts';
import { readParquetColumns } from '../../../../node/parquetTable.ts';
import type { CampaignFile } from '../../../design/campaignFile.ts';
import type { Chunk } from '../../../design/rowPlan.ts';
import { networksOf } from '../../../design/networks.ts';
import { PLAN_SCHEMA, type PlanHead } from '../../../design/plan.ts';
import { startingFile } from '../../../design/startingFile.ts';
import { metrics } from '../../../../src/analysis/metrics/registry.ts';
import { sessions } from '../../../../src/export/tables/sessions.ts';
import { envivio } from '../../../../src/sim/envivio.ts';
import { readSession } from '../../../../src/telemetry/schema/readSession.ts';
import { valueOf } from '../../../../src/shared/result.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'pitwall-rows-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const at = (name: string): string => path.join(folder, name);

const contents = { demo: { ...envivio, manifestBytes: 3000 } };

function headOf(changes: Partial<CampaignFile> = {}): PlanHead {
  const campaign: CampaignFile = {
    ...startingFile,
    rules: ['throughput', 'bola'],
    transports: ['h1', 'h2', 'h3-only'],
    profiles: ['dvl', 'np2b-typical-delay-typical-loss'],
    phase: 'drawn',
    repeats: 4,
    seeds: [1],
    seconds: 20,
    primary: 'mean-bitrate',
    compare: 'transports',
    ...changes,
  };
  return { schema: PLAN_SCHEMA, campaign, networks: networksOf(campaign) };
}

/** Plays the rows of a campaign into a folder. */
async function playRows(head: PlanHead, outDir: string, chunkPairs = 3, contentsSha256 = 'usual') {
  const { plan, ...rest } = rowCampaign(head, { outDir, chunkPairs });
  const campaign = { ...rest, plan: { ...plan, contentsSha256 } };
  keepRowPlan(outDir, campaign.plan);
  const play = chunkPlayer({ head, plan: campaign.plan, contents, weights: [], outDir });
  for (const chunk of chunksOf(campaign.plan)) await play(chunk);
  return campaign;
}

/** Plays the session logs of the same campaign. */
async function playLogs(head: PlanHead, outDir: string) {
  const plan = expandedPlan(head, 'c.json');
  const { sessions: planned, networks, campaign } = plan;
  mkdirSync(logDirOf(outDir), { recursive: true });
  await writeSimulated(
    {
      sessions: planned,
      networks,
      contents,
      seconds: campaign.seconds,
      preset: 'experiment',
      logDir: logDirOf(outDir),
    },
    { from: 0, to: planned.length },
  );
  return plan;
}

const head = headOf();
let plan = expandedPlan(head, 'c.json');
const campaign = await playRows(head, at('rows'));
beforeAll(async () => {
  plan = await playLogs(head, at('logs'));
});

describe('rows of a campaign', () => {
  test('give the table and the verdicts that its logs give, with every metric', async () => {
    const fromLogs = finishedSessions(plan, at('logs'), metrics);
    const fromRows = await readRows(campaign, at('rows'), metrics);
    expect(fromRows.finished.size).toBe(48);
    expect(fromRows.plan).toEqual(plan);
    const text = formatSimulated(fromRows.plan, fromRows.finished, { metrics });
    expect(text).toBe(formatSimulated(plan, fromLogs, { metrics }));
    expect(text).toMatch(/h3-only against h2.*of \d pairs/);
  });

  test('have the columns of an export and its cells, to the last bit', async () => {
    const file = chunkFile(at('rows'), { place: 2 });
    const columns = await readParquetColumns(
      file,
      rowColumns.map(({ name }) => name),
    );
    expect(rowColumns.slice(0, sessions.columns.length)).toEqual(sessions.columns);
    const ids = Array.from(columns.get('session')!, String);
    expect(ids).toEqual(plan.sessions.slice(18, 36).map(({ id }) => id));
    for (const [row, id] of ids.entries()) {
      const log = valueOf(readSession(readFileSync(path.join(logDirOf(at('logs')), `${id}.json`), 'utf8')));
      const [exported] = sessions.rows(log, null);
      const read = sessions.columns.map(({ name, type }) => {
        const cell = columns.get(name)![row] ?? null;
        return type === 'integer' && cell !== null ? Number(cell) : cell;
      });
      expect(read).toEqual(exported);
    }
  });

  test('with a chunk missing give a table of the others, which is preliminary', async () => {
    const outDir = at('missing');
    const some = await playRows(headOf({ repeats: 2 }), outDir, 1);
    rmSync(chunkFile(outDir, { place: 4 }));
    const { finished, plan: planned } = await readRows(some, outDir, metrics);
    expect([finished.size, planned.sessions.length]).toEqual([18, 24]);
    expect(formatSimulated(planned, finished, { metrics })).toContain('preliminary: 6 of 24 sessions');
  });

  test('of several versions of Pitwall are shown with a sentence that names them', async () => {
    const outDir = at('versions');
    const some = await playRows(headOf({ repeats: 2 }), outDir, 1);
    const { versions } = await readRows(some, outDir, metrics);
    expect(versions).toEqual([PITWALL_VERSION]);
    expect(formatVersions(versions)).toEqual([]);
    expect(formatVersions(['0.1.0+a', '0.1.0+b'])).toEqual([
      'The rows were simulated by 2 versions of Pitwall (0.1.0+a, 0.1.0+b): rules or the player model may differ.',
    ]);
  });

  test('of chunks that were computed otherwise are refused, whichever plan lies beside them', async () => {
    const outDir = at('computed-here');
    const some = await playRows(headOf({ repeats: 2 }), outDir, 1);
    const others = at('computed-elsewhere');
    await playRows(headOf({ repeats: 2 }), others, 1, 'other');
    copyFileSync(chunkFile(others, { place: 3 }), chunkFile(outDir, { place: 3 }));
    await expect(readRows(some, outDir, metrics)).rejects.toThrow(
      /chunk-000003\.parquet: These rows have other definitions .* than those of chunk-000001\.parquet: one table/,
    );
  });

  test('of a version that plans other sessions are refused', async () => {
    const outDir = at('renamed');
    const some = await playRows(headOf({ repeats: 1 }), outDir, 1);
    const pairs = { ...some.pairs, sessions: () => plan.sessions.slice(-6) };
    await expect(readRows({ ...some, pairs }, outDir, metrics)).rejects.toThrow(
      /chunk-000001\.parquet: Row 1 is of \S+ instead of \S+: this version plans other sessions\./,
    );
  });
});

describe('a chunk', () => {
  test('is whole with the rows of its plan, and not when it is cut off or of another plan', async () => {
    const outDir = at('whole');
    const { plan: rowPlan } = await playRows(headOf({ repeats: 2 }), outDir, 3);
    const [first, last] = chunksOf(rowPlan) as [Chunk, Chunk];
    expect(chunksOf(rowPlan)).toEqual([
      { place: 1, from: 0, to: 3 },
      { place: 2, from: 3, to: 4 },
    ]);
    expect(await isWhole(outDir, first, rowPlan)).toBe(true);
    expect(await isWhole(outDir, last, rowPlan)).toBe(true);
    expect(await isWhole(outDir, first, { ...rowPlan, planSha256: 'other' })).toBe(false);
    expect(await isWhole(outDir, { place: 1, from: 1, to: 4 }, rowPlan)).toBe(false);
    const file = chunkFile(outDir, first);
    truncateSync(file, statSync(file).size - 9);
    expect(await isWhole(outDir, first, rowPlan)).toBe(false);
    rmSync(file);
    expect(await isWhole(outDir, first, rowPlan)).toBe(false);
  });

  test('removes what a killed process left of it, and nothing of others', async () => {
    const outDir = at('left');
    mkdirSync(rowDirOf(outDir), { recursive: true });
    const [own, other] = ['chunk-000001.parquet.1.tmp', 'chunk-000011.parquet.1.tmp'].map((name) =>
      path.join(rowDirOf(outDir), name),
    );
    for (const file of [own!, other!]) writeFileSync(file, 'PAR1');
    await playRows(headOf({ repeats: 1 }), outDir, 2);
    expect(() => statSync(own!)).toThrow('ENOENT');
    expect(statSync(other!).size).toBe(4);
  });

  test('that there is not is refused', () => {
    expect(() => chunkNamed(4, campaign.plan, 'c.json')).toThrow(
      '--chunk 4: c.json has chunks 1 to 3; --list-chunks names them.',
    );
    expect(chunkNamed(3, campaign.plan, 'c.json')).toEqual({ place: 3, from: 6, to: 8 });
  });
});

describe('a folder', () => {
  test('of rows takes the rows of its own plan only, in chunks of its own size', () => {
    const outDir = at('rows');
    keepRowPlan(outDir, campaign.plan);
    expect(rowCampaign(head, { outDir }).plan.chunkPairs).toBe(3);
    expect(rowCampaign(head, { outDir: at('none') }).plan.chunkPairs).toBe(500);
    const plans = [
      rowCampaign(head, { outDir, chunkPairs: 4 }),
      rowCampaign(headOf({ seeds: [2] }), { outDir }),
    ];
    expect(() => keepRowPlan(outDir, plans[0]!.plan)).toThrow(
      /^--chunk-pairs 4: .*rows was begun with chunks of 3 pairs and goes on with them\.$/,
    );
    expect(() => keepRowPlan(outDir, plans[1]!.plan)).toThrow('This is the plan of another campaign');
  });

  test('of rows takes no rows that were computed otherwise or of other streams', () => {
    const outDir = at('computed');
    const plan = { ...campaign.plan, contentsSha256: 'one' };
    keepRowPlan(outDir, plan);
    keepRowPlan(outDir, plan);
    for (const check of [keepRowPlan, refuseOtherRows])
      expect(() => check(outDir, { ...plan, definitions: 1000 })).toThrow(
        /plan\.json: The rows were computed with definitions \d+ of the metrics, and this version has 1000/,
      );
    expect(() => keepRowPlan(outDir, { ...plan, contentsSha256: 'other' })).toThrow(
      'segments of other sizes than those that the rows were played with',
    );
  });

  test('has logs or rows, never both', () => {
    expect(() => keepPlan(at('rows'), plan)).toThrow(
      'This folder has rows of metrics, and session logs need a folder of their own',
    );
    expect(() => keepRowPlan(at('logs'), campaign.plan)).toThrow(
      'This folder is one of session logs, and rows need a folder of their own',
    );
    mkdirSync(at('planned'));
    keepPlan(at('planned'), plan);
    expect(() => keepRowPlan(at('planned'), campaign.plan)).toThrow('This folder is one of session logs');
  });

  test('of rows has no logs to report or export', async () => {
    await expect(readPlan(at('rows'))).rejects.toThrow(
      /rows of metrics without session logs, and this command needs logs\. Table and verdicts: pitwall compare/,
    );
    expect(() => logFilesIn([at('rows')])).toThrow(/rows of metrics \(.*parquet\) without session logs/);
  });
});

test('the hash of a plan depends on its networks, its contents and its sessions', () => {
  const hashOf = (given: PlanHead): string => rowCampaign(given, { outDir: at('none') }).plan.planSha256;
  const [network] = head.networks;
  const others = [
    {
      ...head,
      networks: [{ ...network!, profile: { ...network!.profile, repeat: false } }, head.networks[1]!],
    },
    { ...head, weights: [{ rule: 'pensieve', spec: 'pensieve', sha256: '0' }] },
    headOf({ seconds: 21 }),
    headOf({ repeats: 5 }),
  ];
  const hashes = [head, ...others].map(hashOf);
  expect(new Set(hashes).size).toBe(5);
  expect(hashOf(headOf())).toBe(hashes[0]);
});

test('two sessions of one id are found before anything is played', () => {
  refuseSameIds(campaign, 'c.json');
  const pairs = { count: 2, sessions: () => plan.sessions.slice(0, 1) };
  expect(() => refuseSameIds({ ...campaign, pairs }, 'c.json')).toThrow(
    /^c\.json: Two networks or two sessions of the campaign have the same name: /,
  );
});

describe('progress', () => {
  test('says how many, how fast and how long', () =>
    expect(formatProgress({ count: 12_000, total: 1_000_000, tookMs: 40_000 })).toBe(
      '12,000 of 1,000,000 sessions, 300 a second, 54 min 53 s left',
    ));

  test('is a line a minute where nobody watches', () => {
    let nowMs = 0;
    const lines: string[] = [];
    const progress = rowProgress(100, { write: (text) => lines.push(text) }, () => nowMs);
    for (const afterMs of [10_000, 59_000, 61_000, 90_000, 130_000]) {
      nowMs = afterMs;
      progress.done(10);
    }
    progress.end();
    expect(lines).toEqual([
      '30 of 100 sessions, 0.5 a second, 2 min 22 s left\n',
      '50 of 100 sessions, 0.4 a second, 2 min 10 s left\n',
    ]);
  });
});
