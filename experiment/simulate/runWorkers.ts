import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { CodedError, EXIT } from '../../node/exitCodes.ts';

interface Options<Done> {
  /** What a worker runs: an entry of the bundle, all side by side in one folder (`setup/bundleCommandLine.mjs`). */
  readonly entry: 'simWorker' | 'simulatedWorker' | 'rowWorker' | 'summaryWorker';
  readonly workers: number;
  onDone(done: Done): void;
}

/** A log is made or read, then dropped: if a whole log fits, the collector never moves any of it. */
const YOUNG_MB = 64;

/**
 * Does all jobs, the first ones first; every worker is given the task once. Rejects with the first sentence of failure; no
 * worker outlives the promise.
 */
export async function runWorkers<Task, Job, Done>(
  task: Task,
  jobs: readonly Job[],
  { entry, workers: count, onDone }: Options<Done>,
): Promise<void> {
  const file = path.join(import.meta.dirname, `${entry}.mjs`);
  const queue = jobs.values();
  const workers = Array.from(
    { length: Math.min(count, jobs.length) },
    () => new Worker(file, { workerData: task, resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB } }),
  );
  try {
    await Promise.all(workers.map((worker) => workThrough(worker, queue, onDone)));
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
}

function workThrough<Job, Done>(
  worker: Worker,
  queue: Iterator<Job>,
  onDone: (done: Done) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const next = (): void => {
      const { value, done } = queue.next();
      if (done) resolve();
      else worker.postMessage(value);
    };
    worker.on('message', (answer: { done: Done } | { error: string; exitCode?: number }) => {
      if ('error' in answer) return reject(new CodedError(answer.exitCode ?? EXIT.failed, answer.error));
      onDone(answer.done);
      next();
    });
    worker.on('error', reject);
    next();
  });
}
