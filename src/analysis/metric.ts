import type { Entry } from '../registry.ts';
import type { SessionLog } from '../telemetry/schema/sessionLog.ts';

/** A number that a finished session is judged by. One file each in `metrics/`. */
export interface Metric extends Entry {
  readonly unit: string;
  /** Which direction is good for the viewer; null describes without judging. */
  readonly better: 'higher' | 'lower' | null;
  /** Where the definition comes from. */
  readonly paper: string;
  of(log: SessionLog): Measured;
}

export interface Measured {
  /** null when the log does not tell; `why` then says so in a sentence. */
  readonly value: number | null;
  readonly why?: string;
  /** The parts of the value, for example per protocol. */
  readonly by?: Readonly<Record<string, number>>;
}
