import { failed, ok, type Result } from '../../shared/result.ts';
import type { SessionLog } from '../../telemetry/schema/sessionLog.ts';
import { inWorker } from './inWorker.ts';

/** Characters a browser's string can hold (V8: 2^29 − 24), rounded down. */
const LARGEST_BYTES = 500e6;

/** Reads a session file in a worker. Every fault is one sentence that begins with the file's name. */
export async function readFile(file: File): Promise<Result<SessionLog>> {
  const refused = (why: string): Result<never> =>
    failed(`${file.name} was not opened. ${why} Nothing was changed.`);
  if (file.size > LARGEST_BYTES)
    return refused('It is larger than 500 MB, which a page cannot read at once.');
  const events: SessionLog['events'] = [];
  const result = await inWorker<SessionLog>(file, (part) => void events.push(...part));
  return result.ok ? ok({ ...result.value, events }) : refused(result.error);
}
