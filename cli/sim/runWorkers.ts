import path from 'node:path';
import { Worker } from 'node:worker_threads';
import type { SimDone, SimJob, SimTask } from './simTask.ts';

/** Both are entries of the bundle, side by side in one folder: see `setup/bundleCommandLine.mjs`. */
const WORKER = path.join(import.meta.dirname, 'simWorker.mjs');

interface Options {
  readonly workers: number;
  onDone(done: SimDone): void;
}

/** Does all jobs, the first ones first. Rejects with the first sentence of failure; no worker outlives the promise. */
export async function runWorkers(
  task: SimTask,
  jobs: readonly SimJob[],
  { workers: count, onDone }: Options,
): Promise<void> {
  const queue = jobs.values();
  const workers = Array.from(
    { length: Math.min(count, jobs.length) },
    () => new Worker(WORKER, { workerData: task }),
  );
  try {
    await Promise.all(workers.map((worker) => workThrough(worker, queue, onDone)));
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
}

function workThrough(
  worker: Worker,
  queue: Iterator<SimJob>,
  onDone: (done: SimDone) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const next = (): void => {
      const { value, done } = queue.next();
      if (done) resolve();
      else worker.postMessage(value);
    };
    worker.on('message', (answer: { done: SimDone } | { error: string }) => {
      if ('error' in answer) return reject(new Error(answer.error));
      onDone(answer.done);
      next();
    });
    worker.on('error', reject);
    next();
  });
}
