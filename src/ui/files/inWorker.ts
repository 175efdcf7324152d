import { failed, type Result } from '../../shared/result.ts';
import type { SessionEvent } from '../../telemetry/schema/sessionLog.ts';
import type { SessionPart, Wanted } from './fileReader.worker.ts';

/** What the reader makes of a file; `onPart` takes what it sends ahead. Without a worker, or when it stops, that is the fault. */
export function inWorker<Value>(
  wanted: Wanted,
  onPart: (events: readonly SessionEvent[]) => void = () => undefined,
): Promise<Result<Value>> {
  return read<Value>(wanted, onPart).catch((fault: unknown) => failed(String(fault)));
}

async function read<Value>(
  wanted: Wanted,
  onPart: (events: readonly SessionEvent[]) => void,
): Promise<Result<Value>> {
  const worker = new Worker(new URL('./fileReader.worker.ts', import.meta.url), { type: 'module' });
  return new Promise<Result<Value>>((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<Result<Value> | SessionPart>) =>
      'part' in data ? onPart(data.part) : resolve(data);
    worker.onerror = (event) => reject(new Error(`The reader stopped: ${event.message}`));
    worker.postMessage(wanted);
  }).finally(() => worker.terminate());
}
