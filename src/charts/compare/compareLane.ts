import type { Entry } from '../../registry.ts';
import type { Lane, View } from '../chart.ts';
import type { ComparedSession, Comparison } from './comparedSession.ts';

/** One chart of several sessions: a pure function, drawn by the same painters as the charts of one session. */
export interface CompareLane extends Entry {
  /** `heightPx` of the lane is never null. Times are of the shared axis. */
  build(comparison: Comparison, view: View): Lane;
  /** What one session says at a moment of the axis, with its unit; words where there is nothing. */
  says(session: ComparedSession, atMs: number, comparison: Comparison): string;
}
