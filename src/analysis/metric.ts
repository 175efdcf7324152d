import type { Entry } from '../registry.ts';
import type { SessionLog } from '../telemetry/schema/sessionLog.ts';

/**
 * A number that a finished session is judged by. One file each in `metrics/`; what people read about it (docs/metrics.md)
 * is `meaning`, `unit`, `paper` and `unknown`.
 */
export interface Metric extends Entry {
  /** The definition, with the choices made where the paper leaves one. */
  readonly meaning: string;
  /** Empty for counts and other numbers without one. */
  readonly unit: string;
  /** Which direction is good for the viewer; null describes without judging. */
  readonly better: 'higher' | 'lower' | null;
  /** Where the definition comes from, with section or equation. */
  readonly paper: string;
  /** What it means that a log has no value. */
  readonly unknown: string;
  /** Its place among the columns that tables show without being asked; left out: none. */
  readonly headline?: number;
  /** Decimals for people; left out: 1 for %, else 0. */
  readonly decimals?: number;
  /** What a table shows of `by`: counts that add up to the value, or the same for each protocol. Left out: nothing. */
  readonly parts?: 'counts' | 'protocols';
  of(log: SessionLog): Measured;
}

export interface Measured {
  /** null when the log does not tell; `why` then says so in a sentence. */
  readonly value: number | null;
  readonly why?: string;
  /** What belongs to this very value and not to the metric: weights, a lag. */
  readonly note?: string;
  /** The parts of the value, for example per protocol. */
  readonly by?: Readonly<Record<string, number>>;
}
