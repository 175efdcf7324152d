import { failed, type Result } from '../../result.ts';
import type { Wanted } from './fileReader.worker.ts';

/** What the reader makes of a file. Without a worker, or when it stops, that is the fault. */
export function inWorker<Value>(wanted: Wanted): Promise<Result<Value>> {
  return read<Value>(wanted).catch((fault: unknown) => failed(String(fault)));
}

async function read<Value>(wanted: Wanted): Promise<Result<Value>> {
  const worker = new Worker(new URL('./fileReader.worker.ts', import.meta.url), { type: 'module' });
  return new Promise<Result<Value>>((resolve, reject) => {
    worker.onmessage = (event: MessageEvent<Result<Value>>) => resolve(event.data);
    worker.onerror = (event) => reject(new Error(`The reader stopped: ${event.message}`));
    worker.postMessage(wanted);
  }).finally(() => worker.terminate());
}
