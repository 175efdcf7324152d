import { spawn, type ChildProcess } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { processesWith } from '../fixtures/processes.ts';
import { expect, test } from '../fixtures/test.ts';
import { seededRandom } from '../../src/analysis/statistics/random.ts';
import { isFinished } from '../../experiment/design/finishedLog.ts';
import type { CampaignPlan } from '../../experiment/design/plan.ts';
import { startingFile } from '../../experiment/design/startingFile.ts';

const root = path.dirname(path.dirname(import.meta.dirname));

/** By hand: PITWALL_KILLS=10 PITWALL_KILL_SEED=7 npx playwright test --no-deps e2e/specs/killed.spec.ts */
const KILLS = Number(process.env.PITWALL_KILLS ?? 2);
const SEED = Number(process.env.PITWALL_KILL_SEED ?? Date.now() % 1_000_000);
/** Over emulated links as well, where they are named and the machine can: PITWALL_KILL_PROFILES=dvl,wifi */
const PROFILES = (process.env.PITWALL_KILL_PROFILES ?? '').split(',').filter(Boolean);
/** What one takes at least, so that most moments fall into a run. */
const SESSION_MS = 2500;
const SESSIONS = 4 * Math.max(1, PROFILES.length);

const campaign = {
  ...startingFile,
  name: 'killed',
  transports: ['h1', 'h3-only'],
  profiles: PROFILES,
  contents: ['padded:envivio'],
  repeats: 2,
  seeds: [1],
  seconds: 1,
  leadInSeconds: 1,
};

test.describe('kill -9 at a random moment', () => {
  test.skip(process.platform !== 'linux', 'processes are looked up in /proc, which only Linux has');
  test.setTimeout(60_000 + (KILLS + 1) * 90_000);

  let folder = '';
  const inFolder = (...names: string[]): string => path.join(folder, ...names);
  const start = (): ChildProcess =>
    spawn(
      process.execPath,
      [path.join(root, 'bin', 'pitwall'), 'compare', inFolder('c.json'), '--out', inFolder('out')],
      {
        cwd: root,
        stdio: 'ignore',
        env: { ...process.env, TMPDIR: inFolder('tmp'), PITWALL_KILLED: folder },
      },
    );
  const alive = () => processesWith('PITWALL_KILLED', folder);
  const finished = async (): Promise<string[]> => {
    const names = await readdir(inFolder('out', 'sessions')).catch(() => []);
    // An id has no dot; what failed tries leave has two.
    return names.filter((name) => /^[^.]+\.json$/.test(name)).sort();
  };

  test.beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'pitwall-killed-'));
    await writeFile(inFolder('c.json'), JSON.stringify(campaign));
    await mkdir(inFolder('tmp'));
  });
  test.afterAll(() => rm(folder, { recursive: true, force: true }));

  test('leaves nothing behind, and the campaign ends with every session once', async ({}, {
    annotations,
  }) => {
    annotations.push({ type: 'seed', description: String(SEED) });
    const random = seededRandom(SEED);
    for (let kill = 0; kill < KILLS; kill++) {
      const victim = kill % 2 === 0 ? 'pitwall' : 'runner';
      const left = SESSIONS - (await finished()).length;
      const afterMs = Math.round(random() * (1500 + left * SESSION_MS));
      const moment = `seed ${SEED}: ${victim} after ${afterMs} ms, ${left} sessions to go`;
      await test.step(moment, async () => {
        await killed(start(), { victim, afterMs });
        await expect.poll(alive, { message: moment, timeout: 20_000 }).toEqual([]);
        await expect.poll(() => readdir(inFolder('tmp')), { message: moment, timeout: 20_000 }).toEqual([]);
      });
    }
    expect(await ended(start())).toBe(0);
    const plan = JSON.parse(await readFile(inFolder('out', 'plan.json'), 'utf8')) as CampaignPlan;
    expect(plan.sessions).toHaveLength(SESSIONS);
    for (const session of plan.sessions)
      expect(
        isFinished(session, await readFile(inFolder('out', 'sessions', `${session.id}.json`), 'utf8')),
      ).toBe(true);
    expect(await finished()).toEqual(plan.sessions.map(({ id }) => `${id}.json`).sort());
    const torn = (await readdir(inFolder('out', 'sessions'))).filter((name) => name.endsWith('.part'));
    expect(torn).toEqual([]);
    expect([alive(), await readdir(inFolder('tmp'))]).toEqual([[], []]);
  });

  /** Where the run has ended before its moment came, nothing is killed. */
  async function killed(
    pitwall: ChildProcess,
    { victim, afterMs }: { victim: 'pitwall' | 'runner'; afterMs: number },
  ): Promise<void> {
    const end = ended(pitwall);
    await Promise.race([end, sleep(afterMs)]);
    if (victim === 'pitwall') pitwall.kill('SIGKILL');
    else while (pitwall.exitCode === null && !killRunner(pitwall)) await sleep(50);
    await end;
  }

  function killRunner({ pid }: ChildProcess): boolean {
    const runner = alive().find(
      ({ parentPid, command }) => parentPid === pid && command.includes('cli.js test'),
    );
    if (runner) process.kill(runner.pid, 'SIGKILL');
    return runner !== undefined;
  }

  const ended = (child: ChildProcess): Promise<number | null> =>
    child.exitCode !== null || child.signalCode !== null
      ? Promise.resolve(child.exitCode)
      : new Promise((resolve) => child.once('exit', resolve));
});
