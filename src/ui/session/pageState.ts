import type { Phase } from './run.ts';
import type { Runner } from './runner.ts';
import type { ShownSession } from './shownSession.ts';

/** What header, start button and picture say. */
export interface PageState {
  readonly phase: Phase;
  /** Name of the file on show; null while the page shows its own session. */
  readonly openedName: string | null;
  readonly recording: boolean;
  readonly recordedMs: number | null;
}

export function pageState(runs: Pick<Runner, 'run' | 'pending'>, shown: ShownSession | null): PageState {
  const run = runs.run();
  const pending = runs.pending().phase;
  const own = run?.session ?? null;
  const opened = shown !== own ? shown : null;
  return {
    phase: pending === 'idle' && run ? run.phase() : pending,
    openedName: opened && opened.name,
    recording: own !== null && own.growing(),
    recordedMs: own && own.series.lastMs,
  };
}
