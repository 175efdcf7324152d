import type { Entry } from '../../shared/registry.ts';
import type { SessionLog } from '../../telemetry/schema/sessionLog.ts';

/**
 * Computes one number of a finished session. Each metric stands in the file of its topic. `docs/metrics.md` shows `meaning`,
 * `unit`, `paper` and `unknown`.
 */
export interface Metric extends Entry {
  /** Defines the metric, including choices that the paper leaves open. */
  readonly meaning: string;
  /** Names the unit; empty for counts and other numbers without a unit. */
  readonly unit: string;
  /** Names the direction that is better for the viewer; null if no direction is better. */
  readonly better: 'higher' | 'lower' | null;
  /** True if every value is above 0, so that two values have a ratio and a margin can be in %. */
  readonly isPositive?: true;
  /**
   * What a session did whose value is above 0, as a verb ("stalled"). Present where 0 is the best value and that of any session
   * in which nothing goes wrong: then a mean of few sessions says little of rare ones that go wrong, and a verdict bounds their
   * share. This is a property of the definition, so that no sample of zeros decides how it is judged.
   */
  readonly rareEvent?: string;
  /** Names the source of the definition, with section or equation. */
  readonly paper: string;
  /** Explains why a log can have no value. */
  readonly unknown: string;
  /** Position among the default columns of tables; absent: not a default column. */
  readonly headline?: number;
  /** Number of decimals in output; absent: 1 for %, otherwise 0. */
  readonly decimals?: number;
  /** Selects how tables show `by`: counts that add up to the value, or a value for each protocol. Absent: not shown. */
  readonly parts?: 'counts' | 'protocols';
  /** Which sessions can have a value: those that download files only (`transfers`), or these too (`both`). Absent: those that play. */
  readonly sessions?: 'transfers' | 'both';
  of(log: SessionLog): Measured;
}

export interface Measured {
  /** null if the log does not contain it; `why` then gives the reason in a sentence. */
  readonly value: number | null;
  /** True if the value is censored: the true one is at least so large. */
  readonly lowerBound?: true;
  readonly why?: string;
  /** Gives details of this value, for example weights or a lag. */
  readonly note?: string;
  /** Bounds how far the value may be off, either way, in the metric's unit; null if nobody knows. Absent: no such error is known. */
  readonly error?: number | null;
  /** Gives the parts of the value, for example by protocol. */
  readonly by?: Readonly<Record<string, number>>;
}

/** What a metric answers when the log lacks its data; `why` is a sentence. */
export const unmeasured = (why: string): Measured => ({ value: null, why });
