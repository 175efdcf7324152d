import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Value } from '@sinclair/typebox/value';
import { expect, test } from 'vitest';
import { MachineUse } from '../../src/telemetry/schema/environment.ts';
import { waitedMs, watchMachine } from './watchMachine.ts';

const OUTCOME = { decodedFrames: 0, droppedFrames: 0, busyDrops: 0 };
const isLinux = existsSync('/proc/stat');

test.runIf(!isLinux)('a machine without /proc/stat is not watched', () => expect(watchMachine()).toBeNull());

test.runIf(isLinux)('two sessions at once watch the machine, each for its own time', async () => {
  const first = watchMachine()!;
  await sleep(300);
  const second = watchMachine({ emulatorPid: process.pid })!;
  await sleep(300);
  const use = second.stop(OUTCOME);
  expect(Value.Check(MachineUse, use)).toBe(true);
  expect(use!.worstBusyPercent).toBeGreaterThanOrEqual(use!.meanBusyPercent);
  // The first goes on after the second ended, and what blocks its process shows as a late timer.
  const untilMs = performance.now() + 400;
  while (performance.now() < untilMs);
  await sleep(150);
  const blocked = first.stop(OUTCOME)!;
  expect(blocked.latestTimerMs).toBeGreaterThan(250);
  await sleep(250);
  expect(first.stop(OUTCOME)).toEqual(blocked);
  expect(second.stop(OUTCOME)).toEqual(use);
});

test.runIf(isLinux)('a process that never gets its core is seen to wait', async () => {
  // Two on one core: each waits about half of the time.
  const core = /^Cpus_allowed_list:\s*(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'))![1]!;
  const busy = [0, 1].map(() => spawn('taskset', ['-c', core, process.execPath, '-e', 'for (;;);']));
  try {
    await sleep(500);
    const before = busy.map(({ pid }) => waitedMs(pid!)!);
    await sleep(1000);
    const waits = busy.map(({ pid }, at) => waitedMs(pid!)! - before[at]!);
    expect(waits[0]! + waits[1]!).toBeGreaterThan(500);
  } finally {
    for (const each of busy) each.kill('SIGKILL');
  }
});

test.runIf(isLinux)('a busy program is the run’s own below its root, and another’s elsewhere', async () => {
  const start = (code: string) => spawn(process.execPath, ['-e', code], { stdio: 'ignore' });
  // Started by us both, so outside each other's tree.
  const [busy, idle] = [start('for (;;);'), start('setTimeout(() => {}, 60_000)')];
  try {
    await sleep(500);
    const inside = watchMachine({ rootPid: process.pid })!;
    const outside = watchMachine({ rootPid: idle.pid!, otherRuns: () => 2 })!;
    await sleep(4500);
    const [own, others] = [inside.stop(OUTCOME)!, outside.stop(OUTCOME)!];
    // Whatever else runs here is in both: the difference is the program, which has most of a core.
    const percentOfCore = (others.otherBusyPercent! - own.otherBusyPercent!) * others.cores;
    expect(percentOfCore).toBeGreaterThan(20);
    expect(percentOfCore).toBeLessThan(110);
    expect(others.flags).toContainEqual(
      expect.stringMatching(/^Programs outside this run used \d+ % of a core on average/),
    );
    expect(others.flags).toContain('2 other runs of Pitwall played on this machine at the same time.');
    expect(own.flags.join()).not.toContain('other run');
  } finally {
    for (const each of [busy, idle]) each.kill('SIGKILL');
  }
});

test('a process that is gone waits for nothing', () => expect(waitedMs(2 ** 22 + 1)).toBeNull());
