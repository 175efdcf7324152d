import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { machineId } from './machineId.ts';

let folder = '';
beforeEach(() => void (folder = mkdtempSync(path.join(tmpdir(), 'pitwall-machine-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function file(name: string, text: string): string {
  writeFileSync(path.join(folder, name), text);
  return path.join(folder, name);
}

test('is the same for the same identity, and another for another; the identity cannot be seen', () => {
  const [one, same, other] = ['0a1b2c3d\n', '0a1b2c3d', 'ffffffff'].map((text, index) =>
    machineId([file(String(index), text)]),
  );
  expect(one).toMatch(/^[0-9a-f]{8}$/);
  expect(one).not.toBe('0a1b2c3d');
  expect(same).toBe(one);
  expect(other).not.toBe(one);
});

test('an empty or missing identity gives way to the next one', () => {
  const boot = file('boot', 'f00d');
  expect(machineId([file('empty', '\n'), path.join(folder, 'none'), boot])).toBe(machineId([boot]));
  expect(machineId([path.join(folder, 'none')])).toBeNull();
});
