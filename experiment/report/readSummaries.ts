import { availableParallelism } from 'node:os';
import { readSummary } from './readSummary.ts';
import type { PlannedSession } from '../plan/plan.ts';
import type { ReadSession } from '../../src/report/reportSource.ts';
import { progressOf } from '../simulate/progress.ts';
import { runWorkers } from '../simulate/runWorkers.ts';

/** The input of every thread. */
export interface SummaryTask {
  readonly logDir: string;
  readonly sessions: readonly PlannedSession[];
}

/** Some of the sessions; `to` is not included. */
export interface SummaryJob {
  readonly from: number;
  readonly to: number;
}

export interface SummaryDone extends SummaryJob {
  readonly read: readonly ReadSession[];
}

const SESSIONS = 16;
/** Below this a thread takes longer to start than the logs take. */
const WORTH_THREADS = 100;
/** Each holds a log and what it parses it into; more than these read faster than one thread takes their summaries. */
const MAX_THREADS = 6;

/** Reads all sessions of a plan, on several cores where there are many; the answers are in the plan's order. */
export async function readSummaries(task: SummaryTask): Promise<readonly ReadSession[]> {
  const count = task.sessions.length;
  if (count < WORTH_THREADS) return task.sessions.map((session) => readSummary(task.logDir, session));
  const jobs = Array.from({ length: Math.ceil(count / SESSIONS) }, (_, part) => ({
    from: part * SESSIONS,
    to: Math.min((part + 1) * SESSIONS, count),
  }));
  const found = new Array<ReadSession>(count);
  const progress = progressOf(count, 'sessions');
  try {
    await runWorkers<SummaryTask, SummaryJob, SummaryDone>(task, jobs, {
      entry: 'summaryWorker',
      workers: Math.min(MAX_THREADS, availableParallelism()),
      onDone: ({ from, to, read }) => {
        for (const [index, each] of read.entries()) found[from + index] = each;
        progress.done(to - from);
      },
    });
  } finally {
    progress.end();
  }
  return found;
}
