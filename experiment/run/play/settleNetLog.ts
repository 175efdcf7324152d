import { createReadStream, createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { SessionFiles } from './sessionFiles.ts';

/** A NetLog whose browser has closed is kept, gzip'd, or removed: a minute of playing is about 5 MB of it. */
export async function settleNetLog(
  { netLog, netLogKept }: Pick<SessionFiles, 'netLog' | 'netLogKept'>,
  { keep }: { keep: boolean },
): Promise<void> {
  if (keep) {
    const part = `${netLogKept}.part`;
    // Fast: the cores are there for other sessions, and it shrinks tenfold all the same.
    try {
      await pipeline(createReadStream(netLog), createGzip({ level: 1 }), createWriteStream(part));
      await rename(part, netLogKept);
    } catch (error) {
      await rm(part, { force: true });
      throw error;
    }
  }
  await rm(netLog, { force: true });
}
