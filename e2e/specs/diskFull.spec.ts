import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { EXIT } from '../../node/exitCodes.ts';
import { expect, test } from '../fixtures/test.ts';
import { isFinished } from '../../experiment/design/finishedLog.ts';
import type { CampaignPlan } from '../../experiment/design/plan.ts';
import { startingFile } from '../../experiment/design/startingFile.ts';
import { namespaceWay } from '../../setup/namespaceWay.mjs';

const root = path.dirname(path.dirname(import.meta.dirname));
const pitwall = path.join(root, 'bin', 'pitwall');

/** A small disk is mounted in a namespace of its own. */
const way = namespaceWay();
const missing = way.kind === 'none' ? way.why : null;

/** Fills the disk as soon as it has a whole log: an id has no dot, what tries leave has two. */
const FILL = String.raw`until ls out/sessions 2>/dev/null | grep -qE '^[^.]+\.json$'; do sleep 0.2; done; cat /dev/zero > out/filler; date +%s > full`;
const campaign = {
  ...startingFile,
  name: 'full',
  transports: ['h1', 'h2'],
  repeats: 3,
  seeds: [1],
  seconds: 1,
};

test.describe('a full disk', () => {
  test.skip(missing !== null && !process.env.CI, missing ?? '');

  let folder = '';
  test.beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'pitwall-full-'));
    await writeFile(path.join(folder, 'c.json'), JSON.stringify(campaign));
    await mkdir(path.join(folder, 'out'));
  });
  test.afterAll(() => rm(folder, { recursive: true, force: true }));

  const inShell = (script: string): Promise<{ code: unknown; output: string }> =>
    new Promise((resolve) => {
      const asRoot = way.kind === 'root' ? [] : ['--user', '--map-root-user'];
      const args = [...asRoot, '--mount', 'sh', '-c', script];
      execFile('unshare', args, { cwd: folder, maxBuffer: 1e8 }, (error, stdout, stderr) =>
        resolve({ code: error ? error.code : 0, output: stdout + stderr }),
      );
    });

  test('ends a campaign with one sentence, and what was played stays', async () => {
    const compare = `'${process.execPath}' '${pitwall}' compare c.json --out`;
    const { code, output } = await inShell(
      `mount -t tmpfs -o size=8m none out || exit 99
       { ${FILL}; } 2>/dev/null &
       ${compare} out; code=$?
       date +%s > ended; kill $! 2>/dev/null; rm -f out/filler; cp -r out kept; exit $code`,
    );
    expect(code, output).toBe(EXIT.noSpace);
    expect(output).toContain('There is no space left for more logs, in ');
    expect(output).toMatch(/Ended early: complete logs are kept, \d sessions are still to be played\./);
    const plan = JSON.parse(await readFile(path.join(folder, 'kept', 'plan.json'), 'utf8')) as CampaignPlan;
    const sessions = path.join(folder, 'kept', 'sessions');
    const whole: string[] = [];
    for (const session of plan.sessions) {
      const text = await readFile(path.join(sessions, `${session.id}.json`), 'utf8').catch(() => null);
      if (text === null) continue;
      expect(isFinished(session, text)).toBe(true);
      whole.push(session.id);
    }
    expect(whole.length).toBeGreaterThan(0);
    expect(whole.length).toBeLessThan(plan.sessions.length);
    // It did not play on for nothing, nor wait for a session that nothing can be kept of.
    const secondIn = async (name: string): Promise<number> =>
      Number(await readFile(path.join(folder, name), 'utf8'));
    expect((await secondIn('ended')) - (await secondIn('full'))).toBeLessThan(25);
    for (const name of await readdir(sessions)) {
      expect(name).not.toMatch(/\.(?:part|failures\.jsonl|netlog\.json)$/);
      expect((await stat(path.join(sessions, name))).size, name).toBeGreaterThan(0);
    }
    expect(await readdir(path.join(folder, 'kept'))).not.toContain('runner.lock');
  });
});
