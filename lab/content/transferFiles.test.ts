import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { transferFiles, VISITED_FILE } from './transferFiles.ts';

const cacheFolder = mkdtempSync(path.join(tmpdir(), 'pitwall-transfer-'));
afterAll(() => rmSync(cacheFolder, { recursive: true, force: true }));

test('files have their sizes, several names, and bytes that cannot be made smaller', async () => {
  const folder = await transferFiles({ sizesBytes: [1_500_000], copies: 2 }, cacheFolder);
  const [one, other] = [1, 2].map((copy) => readFileSync(path.join(folder, `1500000-${copy}.bin`)));
  expect(one).toHaveLength(1_500_000);
  expect(other!.equals(one!)).toBe(true);
  expect(gzipSync(one!).length).toBeGreaterThan(1_500_000);
  expect(readFileSync(path.join(folder, VISITED_FILE))).toHaveLength(1000);
  expect(await transferFiles({ sizesBytes: [1_500_000], copies: 2 }, cacheFolder)).toBe(folder);
});
