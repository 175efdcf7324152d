import { quantile } from '../statistics/summaries.ts';

/** A session as a band reads it. */
export interface BandSession {
  /** Time of the axis at which it ends, ms. */
  readonly endMs: number;
  /** Its value at a time of the axis; null where it has none. */
  valueAt(axisMs: number): number | null;
}

/** What several sessions have at one time of the axis. */
export interface Quartiles {
  /** Sessions with a value: those that have ended have none. */
  readonly count: number;
  /** The quartiles; NaN of fewer than `MIN_BAND` sessions, or of fewer than half of all: those that are left are no sample of them. */
  readonly low: number;
  readonly median: number;
  readonly high: number;
}

/** Between fewer values the quartiles are only a rule of interpolation. */
export const MIN_BAND = 3;

export function quartilesAt(sessions: readonly BandSession[], axisMs: number): Quartiles {
  const values = sessions
    .flatMap((session) => (axisMs > session.endMs ? [] : (session.valueAt(axisMs) ?? [])))
    .sort((one, other) => one - other);
  const isFew = values.length < Math.max(MIN_BAND, sessions.length / 2);
  const of = (share: number): number => (isFew ? NaN : quantile(values, share));
  return { count: values.length, low: of(0.25), median: of(0.5), high: of(0.75) };
}

/** The quartiles at each multiple of `stepMs` from the last one before `fromMs` to the first after `toMs`, none before 0. */
export function bandOf(
  sessions: readonly BandSession[],
  { fromMs, toMs, stepMs }: { fromMs: number; toMs: number; stepMs: number },
): (Quartiles & { readonly atMs: number })[] {
  const first = Math.max(0, Math.floor(fromMs / stepMs));
  const count = Math.max(0, Math.ceil(toMs / stepMs) - first + 1);
  return Array.from({ length: count }, (_, index) => (first + index) * stepMs).map((atMs) => ({
    atMs,
    ...quartilesAt(sessions, atMs),
  }));
}
