import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  announceRun,
  formatOtherRuns,
  makeRunFolder,
  otherRuns,
  runRootPid,
  type MachineRun,
} from './machineRuns.ts';
import { thisProcess, type Owner } from './owner.ts';

let within = '';
beforeEach(() => void (within = mkdtempSync(path.join(tmpdir(), 'pitwall-machine-'))));
afterEach(() => rmSync(within, { recursive: true, force: true }));

const leave = (name: string, owner: Partial<Owner>, rootPid: number): void => {
  const run: MachineRun = { owner: { ...thisProcess(undefined), ...owner }, folder: '/runs/a', rootPid };
  mkdirSync(path.join(within, name));
  writeFileSync(path.join(within, name, 'run.json'), JSON.stringify(run));
};

describe('runs on one machine', () => {
  test('see each other while they play, and not themselves', () => {
    const first = makeRunFolder(within);
    announceRun(first, { folder: '/runs/a', rootPid: 11 });
    announceRun(makeRunFolder(within), { folder: '/runs/b', rootPid: 22 });
    expect(otherRuns(11, within).map(({ folder }) => folder)).toEqual(['/runs/b']);
    expect(otherRuns(22, within).map(({ folder }) => folder)).toEqual(['/runs/a']);
    expect(formatOtherRuns(otherRuns(22, within))).toBe(
      `another run plays on this machine (process ${process.pid}, /runs/a): sessions over emulated links of both runs will not count`,
    );
    rmSync(first, { recursive: true });
    expect(otherRuns(22, within)).toEqual([]);
    expect(formatOtherRuns([])).toBeNull();
  });

  test('that were killed are gone, and nobody else disturbs', () => {
    leave('pitwall-run-killed', { processStart: 'of another start' }, 7);
    leave('pitwall-run-elsewh', { bootId: 'another', pidNamespace: 'pid:[1]' }, 8);
    leave('pitwall-profile-aa', {}, 9);
    mkdirSync(path.join(within, 'pitwall-run-before'));
    leave('pitwall-run-torn00', {}, 10);
    writeFileSync(path.join(within, 'pitwall-run-torn00', 'run.json'), '{"owner":{"pid"');
    expect(otherRuns(11, within)).toEqual([]);
    expect(otherRuns(11, path.join(within, 'nowhere'))).toEqual([]);
  });

  test('of a larger program are one, by its process', () => {
    expect(runRootPid({ PITWALL_RUN_ROOT: '4711' })).toBe(4711);
    for (const useless of [undefined, '', 'a', '-3', '1.5'])
      expect(runRootPid(useless === undefined ? {} : { PITWALL_RUN_ROOT: useless })).toBe(process.pid);
  });
});
