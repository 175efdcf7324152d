import { jobsOf } from './jobsOf.ts';
import { progressOf } from './progress.ts';
import { runWorkers } from './runWorkers.ts';
import type { OptimumScore, SessionScore, SimDone, SimJob, SimTask } from './simTask.ts';

/** What came of a run. */
export interface Played {
  /** `scores[rule][trace]` */
  readonly scores: readonly (readonly SessionScore[])[];
  /** By trace; null when they were not asked for. */
  readonly optima: readonly OptimumScore[] | null;
}

/** Plays every rule over every trace on worker threads, with a bar. @throws Error in one sentence */
export async function playAll(
  task: SimTask,
  { workers, withOptimum }: { workers: number; withOptimum: boolean },
): Promise<Played> {
  const scores = task.rules.map(() => new Array<SessionScore>(task.traces.length));
  const optima = new Array<OptimumScore>(withOptimum ? task.traces.length : 0);
  const jobs = jobsOf(task, withOptimum);
  const progress = progressOf(
    jobs.reduce((sum, { from, to }) => sum + to - from, 0),
    whatOf(task, withOptimum),
  );
  try {
    await runWorkers<SimTask, SimJob, SimDone>(task, jobs, {
      entry: 'simWorker',
      workers,
      onDone({ job, scores: some, optima: best }) {
        some.forEach((score, index) => (scores[job.rule!]![job.from + index] = score));
        best.forEach((score, index) => (optima[job.from + index] = score));
        progress.done(job.to - job.from);
      },
    });
  } finally {
    progress.end();
  }
  return { scores, optima: withOptimum ? optima : null };
}

function whatOf({ rules }: SimTask, withOptimum: boolean): string {
  if (rules.length === 0) return 'optima';
  return withOptimum ? 'sessions and optima' : 'sessions';
}
