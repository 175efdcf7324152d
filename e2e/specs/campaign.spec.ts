import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { eventsOf } from '../fixtures/logEvents.ts';
import { expect, test } from '../fixtures/test.ts';
import type { CampaignPlan } from '../../experiment/design/plan.ts';
import { startingFile } from '../../experiment/design/startingFile.ts';
import { readSession } from '../../src/telemetry/schema/readSession.ts';

const run = promisify(execFile);
const root = path.dirname(path.dirname(import.meta.dirname));

test.describe.configure({ mode: 'serial' });

/** Two pairs of two arms. */
const campaign = {
  ...startingFile,
  transports: ['h1', 'h2'],
  contents: ['padded:envivio:segment=2'],
  repeats: 2,
  seeds: [1],
  seconds: 1,
};

test.describe('a campaign', () => {
  let folder = '';
  let plan: CampaignPlan;
  const compare = async (...args: string[]): Promise<string> => {
    const command = [path.join(root, 'bin', 'pitwall'), 'compare', path.join(folder, 'c.json'), ...args];
    return (await run(process.execPath, command, { cwd: root, maxBuffer: 1e8 })).stdout;
  };
  const merged = (...names: string[]): string => path.join(folder, 'merged', ...names);
  const logFile = (index: number): string => merged('sessions', `${plan.sessions[index]!.id}.json`);

  test.beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'pitwall-campaign-'));
    await writeFile(path.join(folder, 'c.json'), JSON.stringify(campaign));
    const outputs = await Promise.all(
      ['1/2', '2/2'].map((shard) =>
        compare('--shard', shard, '--out', path.join(folder, shard.replace('/', '-of-'))),
      ),
    );
    for (const output of outputs) expect(output).toMatch(/^2 played, /m);
    for (const shard of ['1-of-2', '2-of-2'])
      await cp(path.join(folder, shard), merged(), { recursive: true });
    plan = JSON.parse(await readFile(merged('plan.json'), 'utf8')) as CampaignPlan;
  });

  test.afterAll(() => rm(folder, { recursive: true, force: true }));

  test('played in two shards has every session once, each with its place in the design', async () => {
    expect((await readdir(merged('sessions'))).sort()).toEqual(
      plan.sessions.map(({ id }) => `${id}.json`).sort(),
    );
    for (const [index, { id, transport, design }] of plan.sessions.entries()) {
      const log = readSession(await readFile(logFile(index), 'utf8'));
      if (!log.ok) throw new Error(log.error);
      expect(log.value).toMatchObject({ id, design, environment: { transport } });
      const ladder = eventsOf(log.value, 'ladder').find(({ mediaType }) => mediaType === 'video');
      expect(ladder?.rungs.map(({ bitrateKbps }) => bitrateKbps)).toEqual(plan.contents![0]!.ladderKbps);
    }
  });

  test('played pair by pair, two at once into one folder, has every session once', async () => {
    const out = path.join(folder, 'pairs');
    const pairs = (await compare('--list-pairs'))
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t') as [place: string, id: string]);
    expect(pairs.map(([, id]) => id)).toEqual([...new Set(plan.sessions.map(({ design }) => design.pair))]);
    const outputs = await Promise.all(pairs.map(([place]) => compare('--pair', place, '--out', out)));
    for (const [index, output] of outputs.entries())
      expect(output).toContain(`pair ${index + 1}: 2 of 2 sessions played\n`);
    const sessions = await readdir(path.join(out, 'sessions'));
    expect(sessions.filter((name) => name.endsWith('.json')).sort()).toEqual(
      plan.sessions.map(({ id }) => `${id}.json`).sort(),
    );
    // What is done is not played again, by the pair's id or by a run of all.
    expect(await compare('--pair', pairs[1]![1], '--out', out)).toContain('0 of 2 sessions are to be played');
    expect(await compare('--out', out)).toContain('0 of 4 sessions are to be played');
  });

  test('plays arms of a pair in the recorded order, on one machine', async () => {
    const startedAt = await Promise.all(
      plan.sessions.map(async (_, index) => {
        const log = readSession(await readFile(logFile(index), 'utf8'));
        return log.ok ? log.value.clock.startedAtUnixMs : NaN;
      }),
    );
    expect(startedAt[1]!).toBeGreaterThan(startedAt[0]!);
    expect(startedAt[3]!).toBeGreaterThan(startedAt[2]!);
    const shards = await Promise.all(
      ['1-of-2', '2-of-2'].map((shard) => readdir(path.join(folder, shard, 'sessions'))),
    );
    for (const files of shards) {
      const pairs = plan.sessions
        .filter(({ id }) => files.includes(`${id}.json`))
        .map(({ design }) => design.pair);
      expect(new Set(pairs).size).toBe(1);
    }
  });

  test('goes on where it was torn, and leaves the rest alone', async () => {
    const others = [0, 1, 3];
    const before = await Promise.all(others.map(async (index) => (await stat(logFile(index))).mtimeMs));
    await truncate(logFile(2), Math.floor((await stat(logFile(2))).size / 2));
    expect(await compare('--table', '--out', merged())).toMatch(/ 1 of 2 /);
    const output = await compare('--out', merged());
    expect(output).toContain('1 of 4 sessions are to be played');
    expect(output).toMatch(/^1 played, 3 played before, /m);
    const after = await Promise.all(others.map(async (index) => (await stat(logFile(index))).mtimeMs));
    expect(after).toEqual(before);
    expect(readSession(await readFile(logFile(2), 'utf8')).ok).toBe(true);
  });

  test('with nothing to do prints its table at once, and no verdict that the design cannot reach', async () => {
    const output = await compare('--out', merged());
    expect(output).toContain('0 of 4 sessions are to be played');
    // Not those of a sentence on pairs, which are set in.
    expect(output.match(/^\S+ +2 of 2 /gm)).toHaveLength(2);
    expect(output).toContain('no verdict on join time');
    expect(output).toContain((await compare('--table', '--out', merged())).trim());
  });
});
