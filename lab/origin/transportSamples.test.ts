import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { transportSamples } from './transportSamples.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'pitwall-samples-'));
afterAll(() => rmSync(folder, { recursive: true }));

const line = (connection: number): string => `{"connection":${connection},"rttMs":1}\n`;
async function connectionsIn(text: string, fromByte = 0): Promise<number[]> {
  const file = path.join(folder, 'log.jsonl');
  writeFileSync(file, text);
  const samples = await transportSamples(file, { fromByte, isWanted: (id) => id !== 3 });
  return samples.map(({ connection }) => connection);
}

test('begins at a byte, takes what is wanted, and leaves a torn last line out', async () => {
  expect(await connectionsIn(line(1) + line(2) + line(3) + line(4), line(1).length)).toEqual([2, 4]);
  expect(await connectionsIn(`${line(1)}{"connection":2,"rt`)).toEqual([1]);
  expect(await connectionsIn('')).toEqual([]);
});

test('a torn line in the midst, or no file, is an error', async () => {
  await expect(connectionsIn(`{"conn\n${line(1)}`)).rejects.toThrow(/has no JSON in the line \{"conn$/);
  const none = transportSamples(path.join(folder, 'none'), { fromByte: 0, isWanted: () => true });
  await expect(none).rejects.toThrow(/ENOENT/);
});
