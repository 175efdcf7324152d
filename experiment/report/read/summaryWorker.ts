import { workerData } from 'node:worker_threads';
import { answerJobs } from '../../simulate/runWorkers.ts';
import type { SummaryDone, SummaryJob, SummaryTask } from './readSummaries.ts';
import { readSummary } from './readSummary.ts';

/** The entry of a worker thread: reduces the sessions it is sent, some at a time. See `experiment/simulate/runWorkers.ts`. */
const task = workerData as SummaryTask;

answerJobs(({ from, to }: SummaryJob): SummaryDone => {
  const read = task.sessions.slice(from, to).map((session) => readSummary(task, session));
  return { from, to, read };
});
