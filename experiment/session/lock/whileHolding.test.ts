import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { whileHolding } from './whileHolding.ts';

describe('work while a folder is held', () => {
  const parent = mkdtempSync(path.join(tmpdir(), 'pitwall-holding-'));
  afterAll(() => rmSync(parent, { recursive: true, force: true }));
  const refused = (): Promise<number> => Promise.reject(new Error('not today'));
  const listeners = (): number[] =>
    (['SIGINT', 'SIGTERM', 'SIGHUP', 'exit'] as const).map((name) => process.listenerCount(name));

  test('resolves to its exit code, and leaves neither lock nor listeners', async () => {
    const folder = path.join(parent, 'done');
    const before = listeners();
    const code = await whileHolding(folder, '1/2', async () => {
      expect(readdirSync(folder)).toEqual(['runner-1-of-2.lock']);
      writeFileSync(path.join(folder, 'log.json'), '{}');
      return 130;
    });
    expect(code).toBe(130);
    expect(readdirSync(folder)).toEqual(['log.json']);
    expect(listeners()).toEqual(before);
  });

  test('that fails leaves no lock, and no folder that it made for nothing', async () => {
    const folder = path.join(parent, 'a', 'b');
    await expect(whileHolding(folder, undefined, refused)).rejects.toThrow('not today');
    expect(existsSync(folder)).toBe(false);
  });

  test('leaves a folder that was there', async () => {
    await expect(whileHolding(parent, undefined, refused)).rejects.toThrow('not today');
    expect(existsSync(parent)).toBe(true);
  });

  test('a folder that cannot be made is one sentence', async () => {
    const file = path.join(parent, 'file');
    writeFileSync(file, '');
    await expect(whileHolding(path.join(file, 'x'), undefined, refused)).rejects.toThrow(
      `${path.join(file, 'x')}: A part of its path is a file, not a folder.`,
    );
  });
});
