import {
  jobsOf,
  type OptimumScore,
  type SessionScore,
  type SimDone,
  type SimJob,
  type SimTask,
} from './simTask.ts';
import { runWorkers } from './runWorkers.ts';

/** What came of a run. */
interface Played {
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

/** Something is counted while it is done. */
interface Progress {
  done(count: number): void;
  /** Takes the bar away. */
  end(): void;
}

/** Where a bar goes: standard error, or a test. */
interface Screen {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

const WIDTH = 30;
/** A bar is drawn so often at most. */
const EVERY_MS = 100;
/** Where nobody watches, a line at each of so many parts. */
const PARTS = 4;

/** A bar on a terminal; elsewhere a line at each quarter, so that a log of a run stays short. */
export function progressOf(total: number, what: string, screen: Screen = process.stderr): Progress {
  return screen.isTTY ? bar(total, what, screen) : lines(total, what, screen);
}

function bar(total: number, what: string, screen: Screen): Progress {
  let [count, drawnAt] = [0, -Infinity];
  const draw = (): void => {
    const filled = Math.round((WIDTH * count) / total);
    screen.write(`\r[${'#'.repeat(filled)}${'·'.repeat(WIDTH - filled)}] ${count} of ${total} ${what}`);
    drawnAt = performance.now();
  };
  draw();
  return {
    done(more) {
      count += more;
      if (performance.now() - drawnAt > EVERY_MS || count === total) draw();
    },
    end: () => void screen.write('\r\x1b[K'),
  };
}

function lines(total: number, what: string, screen: Screen): Progress {
  let [count, said] = [0, 0];
  return {
    done(more) {
      count += more;
      const part = Math.floor((PARTS * count) / total);
      if (part > said) screen.write(`${count} of ${total} ${what}\n`);
      said = part;
    },
    end: () => undefined,
  };
}
