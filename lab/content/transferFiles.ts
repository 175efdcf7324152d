import { randomFillSync } from 'node:crypto';
import { link, open } from 'node:fs/promises';
import path from 'node:path';
import { cachedFolder, cachedPath } from './cachedFolder.ts';
import { transferFile } from '../../src/shared/transfer.ts';

/** The files of sessions without media. */
interface TransferFiles {
  /** Each once. */
  readonly sizesBytes: readonly number[];
  /** How many files of each size there are, under names of their own. */
  readonly copies: number;
}

/** What a browser asks for to visit the server: its size in bytes. */
const VISITED_BYTES = 1000;

/** The name of a small file, for the browser's visit before the session. */
export const VISITED_FILE = transferFile(VISITED_BYTES, 0);

const CHUNK_BYTES = 1 << 20;

/** Makes the files, or finds them in the cache: random bytes, which nothing on the way can make smaller. */
export async function transferFiles(wanted: TransferFiles, cacheFolder: string): Promise<string> {
  const sizesBytes = [...new Set([VISITED_BYTES, ...wanted.sizesBytes])].sort((one, other) => one - other);
  const recipe = { version: 1, sizesBytes, copies: wanted.copies };
  const folder = cachedPath(cacheFolder, 'transfer', recipe);
  await cachedFolder(folder, async (making) => {
    for (const sizeBytes of sizesBytes) {
      const first = path.join(making, transferFile(sizeBytes, 0));
      await writeRandom(first, sizeBytes);
      // Another name of the same bytes: only names must differ.
      for (let copy = 1; copy < wanted.copies; copy++)
        await link(first, path.join(making, transferFile(sizeBytes, copy)));
    }
  });
  return folder;
}

async function writeRandom(file: string, sizeBytes: number): Promise<void> {
  const handle = await open(file, 'w');
  try {
    const chunk = Buffer.alloc(CHUNK_BYTES);
    for (let left = sizeBytes; left > 0; left -= CHUNK_BYTES)
      await handle.write(randomFillSync(chunk), 0, Math.min(left, CHUNK_BYTES));
  } finally {
    await handle.close();
  }
}
