import { failed, type Result } from '../../result.ts';
import type { SessionLog } from '../../telemetry/schema/sessionLog.ts';
import type { ReadAnswer, ReadRequest } from './sessionReader.worker.ts';

/** Characters a browser's string can hold (V8: 2^29 − 24), rounded down. */
const LARGEST_BYTES = 500e6;

/**
 * Reads a session file in a worker, with its NetLog where one is given: that is read as a stream and may have any
 * size. Every fault is one sentence that begins with a file's name.
 */
export async function readFile(file: File, netLog: File | null = null): Promise<Result<SessionLog>> {
  const refused = (why: string, name = file.name): Result<never> =>
    failed(`${name} was not opened. ${why} Nothing was changed.`);
  if (file.size > LARGEST_BYTES)
    return refused('It is larger than 500 MB, which a page cannot read at once.');
  const text = await file.text().catch(() => null);
  if (text === null) return refused('The browser could not read it.');
  const answer = await inWorker({ text, netLog }).catch((fault: unknown): ReadAnswer =>
    failed(String(fault)),
  );
  if (answer.ok) return answer;
  return answer.ofNetLog && netLog ? refused(answer.error, netLog.name) : refused(answer.error);
}

function inWorker(request: ReadRequest): Promise<ReadAnswer> {
  const worker = new Worker(new URL('./sessionReader.worker.ts', import.meta.url), { type: 'module' });
  return new Promise<ReadAnswer>((resolve, reject) => {
    worker.onmessage = (event: MessageEvent<ReadAnswer>) => resolve(event.data);
    worker.onerror = (event) => reject(new Error(`The reader stopped: ${event.message}`));
    worker.postMessage(request);
  }).finally(() => worker.terminate());
}
