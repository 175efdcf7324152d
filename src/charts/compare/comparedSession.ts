import type { AlignedTime } from '../../analysis/comparison/alignedTime.ts';
import type { SessionSeries } from '../../analysis/timeline/series.ts';
import type { View } from '../chart.ts';
import type { SessionLook } from './sessionLooks.ts';

/** A session as one of several on a shared axis. */
export interface ComparedSession {
  readonly series: SessionSeries;
  readonly time: AlignedTime;
  readonly look: SessionLook;
}

/** What is on show: sessions in their order, one of them the reference, perhaps one that a person looks at. */
export interface Comparison {
  readonly sessions: readonly ComparedSession[];
  /** The one that differences are to; it is among `sessions`. */
  readonly reference: ComparedSession;
  /** The others step back while one is chosen. */
  readonly chosen: ComparedSession | null;
}

/** Whether a moment of the axis lies behind a session's last. */
export const hasEnded = ({ time }: Pick<ComparedSession, 'time'>, atMs: number): boolean =>
  atMs > time.endMs + ROUNDING_MS;

/** Axes of several sessions end with the longest, some ms behind one that was stopped as early. */
const ROUNDING_MS = 500;

/** The part of a session that lies in a view of the shared axis, as a view of its own time; null where it has ended or never began. */
export function ownView({ time }: Pick<ComparedSession, 'time'>, view: View): View | null {
  if (time.endMs <= view.fromMs) return null;
  const fromMs = time.sessionMs(view.fromMs);
  const toMs = Math.max(fromMs + 1, time.sessionMs(Math.min(view.toMs, time.endMs)));
  return { ...view, fromMs, toMs, nowMs: toMs };
}
