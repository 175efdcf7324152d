import type { Entry } from '../../shared/registry.ts';
import type { Lane, View } from '../chart.ts';
import type { ComparedSession, Comparison } from './comparedSession.ts';

/** Builds one lane for several sessions as a pure function. The painters are those of the charts of one session. */
export interface CompareLane extends Entry {
  /** Returns a lane whose `heightPx` is never null. Times are in ms of the shared axis. */
  build(comparison: Comparison, view: View): Lane;
  /** Returns the value of one session at a time of the axis, with its unit, or a text if there is no value. */
  says(session: ComparedSession, atMs: number, comparison: Comparison): string;
}
