import type { SessionHeader } from '../../telemetry/schema/sessionLog.ts';
import { ruleLook } from '../../charts/ruleLook.ts';
import type { Phase } from './run.ts';
import type { Runner } from './runner.ts';
import type { ShownSession } from './shownSession.ts';

/** What header, start button and picture say. */
export interface PageState {
  readonly phase: Phase;
  /** Name of the file on show; null while the page shows its own session. */
  readonly openedName: string | null;
  /** What the opened session was: rule, settings, stream, day. */
  readonly openedAbout: string | null;
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
    openedAbout: opened && aboutOf(opened.header()),
    recording: own !== null && own.growing(),
    recordedMs: own && own.series.lastMs,
  };
}

function aboutOf({ environment, clock }: SessionHeader): string {
  const { rule, preset, mpdUrl, transport } = environment;
  const day = new Date(clock.startedAtUnixMs).toLocaleDateString('en-GB', { dateStyle: 'medium' });
  const parts = [rule && ruleLook(rule).label, preset, transport, mpdUrl, `recorded ${day}`];
  return parts.filter((part) => part !== null && part !== '').join(' · ');
}
