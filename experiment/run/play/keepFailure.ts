import { appendFile, mkdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { SessionFailure } from './sessionFailure.ts';

/** Adds a line to the list of a session's failed tries. */
export async function keepFailure(file: string, { failure, message }: SessionFailure): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  await appendFile(file, `${JSON.stringify({ atUnixMs: Date.now(), failure, message })}\n`).catch(
    async (error: unknown) => {
      if ((await stat(file).catch(() => null))?.size === 0) await rm(file, { force: true });
      throw error;
    },
  );
}
