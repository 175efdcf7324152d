import { readFileSync } from 'node:fs';
import { appendFile, mkdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { SessionFailure } from './sessionFailure.ts';

/** A line of `<id>.failures.jsonl`: a try of a session that left no log that counts. */
export interface FailedTry {
  /** When it was written; null where the line does not say. */
  readonly atUnixMs: number | null;
  /** A `FailureId`; of another version perhaps one that this version does not know. */
  readonly failure: string;
  readonly message: string;
}

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

/** The failed tries of a session in their order; none where there is no such file. A torn line does not count. */
export function readFailures(file: string): FailedTry[] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return [];
  }
  return text.split('\n').flatMap((line) => tryIn(line) ?? []);
}

/** null for a line that was torn while it was written, or that says nothing of a failure. */
function tryIn(line: string): FailedTry | null {
  try {
    const { atUnixMs, failure, message } = JSON.parse(line) as Partial<Record<string, unknown>>;
    if (typeof failure !== 'string') return null;
    return {
      atUnixMs: typeof atUnixMs === 'number' ? atUnixMs : null,
      failure,
      message: String(message ?? failure),
    };
  } catch {
    return null;
  }
}
