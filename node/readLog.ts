import { readFile } from 'node:fs/promises';
import { partialFault } from './logFilesIn.ts';
import { failed, type Result } from '../src/shared/result.ts';
import { readSession } from '../src/telemetry/schema/readSession.ts';
import type { SessionLog } from '../src/telemetry/schema/sessionLog.ts';

/** A session file, or one sentence that says what is wrong with it. */
export async function readLog(file: string): Promise<Result<SessionLog>> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => error);
  return typeof text === 'string'
    ? readSession(text)
    : failed(`cannot be read (${text.code ?? text.message}).`);
}

/** The same where something is made of the session: what a failed try left is refused. */
export async function readWholeLog(file: string): Promise<Result<SessionLog>> {
  const fault = partialFault(file);
  return fault === null ? await readLog(file) : failed(fault);
}
