import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { lockFolder, type LockOptions } from './folderLock.ts';
import { thisProcess, type Owner } from './owner.ts';
import { EXIT } from '../../../node/exitCodes.ts';

const times = { beatMs: 50, goneAfterMs: 600, lastWordsMs: 20 };

describe('the lock of a folder', () => {
  let folder = '';
  let said: string[] = [];
  const running: (() => void)[] = [];

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'pitwall-lock-'));
    said = [];
  });
  afterEach(() => {
    for (const stop of running.splice(0)) stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const take = async (options: Partial<LockOptions> = {}) => {
    const lock = await lockFolder(folder, {
      say: (line) => void said.push(line),
      onLost: () => {},
      times,
      ...options,
    });
    running.push(() => lock.release());
    return lock;
  };
  const file = (name = 'runner.lock'): string => path.join(folder, name);
  const leave = (owner: Partial<Owner>, name?: string): void =>
    writeFileSync(file(name), JSON.stringify({ ...thisProcess(undefined), ...owner }));
  /** As the heartbeat of somebody on another machine. */
  const beat = (name?: string): void => {
    const text = readFileSync(file(name), 'utf8');
    const timer = setInterval(() => writeFileSync(file(name), text, { flag: 'r+' }), times.beatMs);
    running.push(() => clearInterval(timer));
  };
  const elsewhere = { host: 'elsewhere', bootId: 'another', pidNamespace: 'pid:[1]', pid: 7 };

  test('is one process’s at a time: the second one’s error names the owner, since when and what to do', async () => {
    const first = await take();
    const refused = await take().catch((error: unknown) => error);
    expect(refused).toMatchObject({ exitCode: EXIT.folderInUse });
    expect(String(refused)).toMatch(
      new RegExp(
        `^Error: ${folder}: process ${process.pid} on \\S+ has been writing into this folder since \\d{4}-\\d\\d-\\d\\d [\\d:]{8} UTC. Wait until it ends, or name another folder with --out\\.$`,
      ),
    );
    expect(await readdir(folder)).toEqual(['runner.lock']);
    first.release();
    expect(await readdir(folder)).toEqual([]);
    await take();
    expect(said).toEqual([]);
  });

  test('says whose it is', async () => {
    await take();
    const owner = JSON.parse(readFileSync(file(), 'utf8')) as Owner;
    expect(owner).toMatchObject({ ...thisProcess(undefined), since: owner.since });
    expect(Math.abs(Date.parse(owner.since) - Date.now())).toBeLessThan(10_000);
  });

  test('one of 30 who ask at once gets it, also where a dead one’s lies there', async () => {
    leave({ pid: await deadPid(), processStart: '1' });
    const asked = await Promise.allSettled(Array.from({ length: 30 }, () => take()));
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await readdir(folder)).toEqual(['runner.lock']);
  });

  describe.runIf(process.platform === 'linux')('on the same machine', () => {
    test('a process that has ended loses it at once', async () => {
      const child = spawn('sleep', ['60']);
      const stat = readFileSync(`/proc/${child.pid}/stat`, 'utf8');
      leave({ pid: child.pid!, processStart: stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]! });
      await expect(take()).rejects.toThrow(`process ${child.pid} on `);
      child.kill('SIGKILL');
      await new Promise((resolve) => child.once('exit', resolve));
      await take();
      expect(said).toEqual([expect.stringMatching(new RegExp(`^process ${child.pid} on .* has ended: `))]);
    });

    test('a process id that is used again is not the owner', async () => {
      leave({ pid: process.pid, processStart: '1' });
      await take();
      expect(said).toHaveLength(1);
    });

    test('a process that stands still for long keeps it', async () => {
      leave({});
      utimesSync(file(), 1, 1);
      await expect(take()).rejects.toMatchObject({ exitCode: EXIT.folderInUse });
    });
  });

  for (const [where, owner] of [
    ['on another machine', elsewhere],
    ['in another container of this machine', { ...thisProcess(undefined), pidNamespace: 'pid:[1]' }],
    ['on a machine of the same name', { ...thisProcess(undefined), bootId: 'another' }],
  ] as const)
    describe(where, () => {
      test('an owner that renews it keeps it', async () => {
        leave(owner);
        beat();
        await expect(take()).rejects.toThrow(`process ${owner.pid} on ${owner.host} has been writing`);
        expect(said).toEqual([expect.stringContaining('waiting up to 1 s to see whether it still runs')]);
      });

      test('an owner that falls silent loses it, and not before', async () => {
        leave(owner);
        const startedAt = performance.now();
        await take();
        expect(performance.now() - startedAt).toBeGreaterThan(times.goneAfterMs - 150);
      });

      test('an owner that has not renewed it for long loses it at once', async () => {
        leave(owner);
        utimesSync(file(), 1, 1);
        const startedAt = performance.now();
        await take();
        expect(performance.now() - startedAt).toBeLessThan(times.goneAfterMs - 150);
      });
    });

  test('a torn lock is somebody’s as long as it is written', async () => {
    writeFileSync(file(), '{"pid": 1');
    beat();
    await expect(take()).rejects.toThrow('an unknown run (runner.lock) has been writing');
    for (const stop of running.splice(0)) stop();
    await take();
  });

  test('parts of one whole share a folder; the same part, the whole and parts of another division do not', async () => {
    await take({ part: '1/4' });
    await take({ part: '2/4' });
    for (const part of ['1/4', '2/4', '1/2', 'pair-3', undefined])
      await expect(take({ part })).rejects.toThrow(/ \(--shard [12]\/4\) has been writing/);
    expect((await readdir(folder)).sort()).toEqual(['runner-1-of-4.lock', 'runner-2-of-4.lock']);
  });

  test('different pairs share a folder; the same pair, the whole and shards do not', async () => {
    await take({ part: 'pair-1' });
    await take({ part: 'pair-12' });
    for (const part of ['pair-1', 'pair-12', '1/2', undefined])
      await expect(take({ part })).rejects.toThrow(/ \(--pair (1|12)\) has been writing/);
    expect((await readdir(folder)).sort()).toEqual(['runner-pair-1.lock', 'runner-pair-12.lock']);
  });

  test('a part of a division that is gone is in nobody’s way', async () => {
    leave({ processStart: '1', part: '1/2' }, 'runner-1-of-2.lock');
    await take();
    expect(await readdir(folder)).toEqual(['runner.lock']);
  });

  test('whoever takes over where another has died half-way waits until that is certain', async () => {
    leave({ ...elsewhere });
    utimesSync(file(), 1, 1);
    writeFileSync(file('runner.lock.takeover'), '.');
    const startedAt = performance.now();
    await take();
    expect(performance.now() - startedAt).toBeGreaterThan(times.goneAfterMs - 150);
    expect(await readdir(folder)).toEqual(['runner.lock']);
  });

  test('its owner beats, and what it says stays the same', async () => {
    await take();
    const text = readFileSync(file(), 'utf8');
    utimesSync(file(), 1, 1);
    await expect.poll(() => Date.now() - statSync(file()).mtimeMs, { timeout: 5000 }).toBeLessThan(5000);
    expect(readFileSync(file(), 'utf8')).toBe(text);
  });

  for (const [what, change] of [
    ['is removed', () => rmSync(file())],
    [
      'is another’s',
      () => writeFileSync(file(), JSON.stringify({ ...thisProcess(undefined), ...elsewhere })),
    ],
  ] as const)
    test(`its owner is notified when it ${what}, and touches it no more`, async () => {
      let lost = (): void => {};
      const answered = new Promise<void>((resolve) => (lost = resolve));
      const lock = await take({ onLost: () => lost() });
      await sleep(4 * times.beatMs);
      change();
      const after = await readdir(folder);
      await answered;
      lock.release();
      expect(await readdir(folder)).toEqual(after);
    });
});

async function deadPid(): Promise<number> {
  const child = spawn('true');
  await new Promise((resolve) => child.once('exit', resolve));
  return child.pid!;
}
