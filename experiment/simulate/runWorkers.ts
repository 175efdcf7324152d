import path from 'node:path';
import { parentPort, Worker } from 'node:worker_threads';
import { CodedError, exitCodeOf } from '../../node/exitCodes.ts';

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

type Answer<Done> = { readonly done: Done } | { readonly error: string; readonly exitCode: number };

/** The end of a worker thread at which its jobs come in. */
interface JobPort<Job, Done> {
  postMessage(answer: Answer<Done>): void;
  on(event: 'message', listener: (job: Job) => void): unknown;
}

/** Does the jobs that a worker thread is sent, and answers each: with what was done, or with what failed and its exit code. */
export function answerJobs<Job, Done>(
  work: (job: Job) => Done | Promise<Done>,
  port: JobPort<Job, Done> = parentPort!,
): void {
  const answerOf = async (job: Job): Promise<Answer<Done>> => {
    try {
      return { done: await work(job) };
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      return { error: message, exitCode: exitCodeOf(error) };
    }
  };
  port.on('message', async (job) => port.postMessage(await answerOf(job)));
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
    worker.on('message', (answer: Answer<Done>) => {
      if ('error' in answer) return reject(new CodedError(answer.exitCode, answer.error));
      onDone(answer.done);
      next();
    });
    worker.on('error', reject);
    next();
  });
}
