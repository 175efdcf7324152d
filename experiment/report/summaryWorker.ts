import { parentPort, workerData } from 'node:worker_threads';
import type { SummaryDone, SummaryJob, SummaryTask } from './readSummaries.ts';
import { readSummary } from './readSummary.ts';

/** The entry of a worker thread: reduces the sessions it is sent, some at a time. See `experiment/simulate/runWorkers.ts`. */
const task = workerData as SummaryTask;

parentPort!.on('message', ({ from, to }: SummaryJob) => {
  try {
    const read = task.sessions.slice(from, to).map((session) => readSummary(task, session));
    const done: SummaryDone = { from, to, read };
    parentPort!.postMessage({ done });
  } catch (error) {
    parentPort!.postMessage({ error: error instanceof Error ? error.message : String(error) });
  }
});
