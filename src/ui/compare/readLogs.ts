import { failed, type Result } from '../../shared/result.ts';
import type { LogSource } from './logSource.ts';
import type { ReadLog } from './readLog.ts';

export interface Reading {
  readonly source: LogSource;
  readonly result: Result<ReadLog>;
}

/** Characters a browser's string can hold (V8: 2^29 − 24), rounded down. */
const LARGEST_BYTES = 500e6;
/** More would only wait for each other's memory. */
const MAX_WORKERS = 4;

/** Reads logs in workers, several at a time; results come in the order of the sources. A bad log is a sentence. */
export async function readLogs(
  sources: readonly LogSource[],
  onDone: (done: number) => void,
): Promise<Reading[]> {
  const readings = new Array<Reading>(sources.length);
  let next = 0;
  let done = 0;
  const work = async (): Promise<void> => {
    let worker = startWorker();
    try {
      while (next < sources.length) {
        const place = next;
        next += 1;
        const source = sources[place]!;
        const result = await readOne(source, worker).catch((fault: unknown) => {
          // A worker that stopped answers no more.
          worker.terminate();
          worker = startWorker();
          return failed(String(fault));
        });
        readings[place] = { source, result };
        done += 1;
        onDone(done);
      }
    } finally {
      worker.terminate();
    }
  };
  const workers = Math.min(sources.length, MAX_WORKERS, Math.max(1, navigator.hardwareConcurrency - 1));
  await Promise.all(Array.from({ length: workers }, work));
  return readings;
}

const startWorker = (): Worker =>
  new Worker(new URL('./compareReader.worker.ts', import.meta.url), { type: 'module' });

async function readOne(source: LogSource, worker: Worker): Promise<Result<ReadLog>> {
  const file = await source.file();
  if (!file.ok) return file;
  if (file.value.size > LARGEST_BYTES)
    return failed('It is larger than 500 MB, which a page cannot read at once.');
  return new Promise((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<Result<ReadLog>>) => resolve(data);
    worker.onerror = ({ message }) => reject(new Error(`The reader stopped: ${message}`));
    worker.postMessage(file.value);
  });
}
