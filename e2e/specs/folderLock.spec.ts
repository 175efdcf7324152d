import { spawn, type ChildProcess } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { EXIT } from '../../node/exitCodes.ts';
import { isFinished } from '../../experiment/design/finishedLog.ts';
import type { CampaignPlan } from '../../experiment/design/plan.ts';
import { startingFile } from '../../experiment/design/startingFile.ts';
import { processesWith } from '../fixtures/processes.ts';
import { expect, test } from '../fixtures/test.ts';

const root = path.dirname(path.dirname(import.meta.dirname));
/** How many start at once, how often the one that plays is killed, and how much there is to play. */
const [RUNNERS, KILLS, REPEATS] = process.env.PITWALL_FULL === '1' ? [6, 4, 4] : [2, 1, 1];

const campaign = {
  ...startingFile,
  name: 'locked',
  transports: ['h1', 'h2'],
  contents: ['padded:envivio'],
  repeats: REPEATS,
  seeds: [1],
  seconds: 1,
};

test.describe('two runners on one folder', () => {
  test.skip(process.platform !== 'linux', 'processes are looked up in /proc, which only Linux has');

  let folder = '';
  const inFolder = (...names: string[]): string => path.join(folder, ...names);
  const alive = () => processesWith('PITWALL_LOCKED', folder);
  const logs = async (): Promise<string[]> =>
    (await readdir(inFolder('out', 'sessions')).catch(() => [])).filter((name) => /^[^.]+\.json$/.test(name));

  test.beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'pitwall-locked-'));
    await writeFile(inFolder('c.json'), JSON.stringify(campaign));
    await mkdir(inFolder('tmp'));
  });
  test.afterAll(() => rm(folder, { recursive: true, force: true }));

  test('one plays, the others are refused; after kill -9 every session is there once, with its NetLog', async () => {
    for (let kill = 0; kill < KILLS; kill++) {
      const before = (await logs()).length;
      const runs = Array.from({ length: RUNNERS }, start);
      const left = new Set(runs);
      while (left.size > 1) {
        const refused = await Promise.race([...left].map((run) => run.ended.then(() => run)));
        left.delete(refused);
        expect(await refused.ended, refused.errors()).toBe(EXIT.folderInUse);
        const [{ pid }] = [...left].map(({ child }) => child) as [ChildProcess];
        expect(refused.errors()).toContain(`${inFolder('out')}: process ${RUNNERS > 2 ? '' : pid}`);
        expect(refused.errors().trim().split('\n').at(-1)).toMatch(
          /has been writing into this folder since .* UTC\. Wait until it ends, or name another folder with --out\.$/,
        );
      }
      const [winner] = left;
      await expect.poll(async () => (await logs()).length, { timeout: 120_000 }).toBeGreaterThan(before);
      winner!.child.kill('SIGKILL');
      await winner!.ended;
      expect(await readdir(inFolder('out'))).toContain('runner.lock');
    }
    const stopped = start();
    await expect.poll(stopped.errors, { timeout: 120_000 }).toContain(' is taken over');
    stopped.child.kill('SIGTERM');
    await stopped.ended;
    expect(await readdir(inFolder('out'))).not.toContain('runner.lock');
    const last = start();
    expect(await last.ended, last.errors()).toBe(EXIT.done);
    await expectEachOnce();
    expect([alive(), await readdir(inFolder('tmp'))]).toEqual([[], []]);
  });

  async function expectEachOnce(): Promise<void> {
    const plan = JSON.parse(await readFile(inFolder('out', 'plan.json'), 'utf8')) as CampaignPlan;
    expect((await logs()).sort()).toEqual(plan.sessions.map(({ id }) => `${id}.json`).sort());
    for (const session of plan.sessions) {
      const file = inFolder('out', 'sessions', session.id);
      expect(isFinished(session, await readFile(`${file}.json`, 'utf8'))).toBe(true);
      const netLog = gunzipSync(await readFile(`${file}.netlog.json.gz`)).toString();
      expect((JSON.parse(netLog) as { events: unknown[] }).events.length).toBeGreaterThan(100);
      expect(netLog).toContain(`https://${session.id}.origin.test`);
    }
    const names = [...(await readdir(inFolder('out'))), ...(await readdir(inFolder('out', 'sessions')))];
    expect(names.filter((name) => /\.lock|\.part$|race-faults|failures/.test(name))).toEqual([]);
  }

  function start() {
    const child = spawn(
      process.execPath,
      [
        path.join(root, 'bin', 'pitwall'),
        ...['compare', inFolder('c.json'), '--out', inFolder('out'), '--keep-netlog'],
      ],
      {
        cwd: root,
        stdio: ['ignore', 'ignore', 'pipe'],
        env: { ...process.env, TMPDIR: inFolder('tmp'), PITWALL_LOCKED: folder },
      },
    );
    let said = '';
    child.stderr!.on('data', (chunk) => (said += String(chunk)));
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    return { child, ended, errors: () => said };
  }
});
