/** How two series of windows move together, and how often chance alone does better. */
export interface CrossCorrelation {
  /** The greatest correlation over all lags, −1 to 1. */
  readonly maximum: number;
  /** Where it is, in windows; above 0: the response comes after the driver. */
  readonly lag: number;
  readonly windows: number;
  /**
   * Circular shifts of the response, and the share of them with a larger maximum. All shifts are counted: only then is the
   * share of independent noise even between 0 and 1. Those by a few windows meet a real effect once more, at another lag,
   * so that of one it is rather too large.
   */
  readonly shifts: number;
  readonly shareOfShiftsLarger: number;
  /** Maxima of shifts, ascending: what chance does with these two series. */
  readonly shiftMaxima: readonly number[];
  /** Whether they are only of shifts whose lags are others than the series' own, or else of all. */
  readonly areMaximaApart: boolean;
}

type Correlated =
  { readonly value: CrossCorrelation; readonly why: null } | { readonly value: null; readonly why: string };

/** With fewer the maximum of pure noise has a median above 0.36, so a large one means nothing. */
const MIN_WINDOWS = 20;
/** 4 minutes of 30 s windows, about the lags that the 2024 paper found (its Fig. 9b). */
const MAX_LAG = 8;
/** So many shifts are to be apart, else the maxima are those of all: 52 windows (26 min) have as many. */
const MIN_SHIFTS = 19;

/**
 * Cross-correlation as in §VII of the 2024 paper: products of deviations at each lag over the root of both sums of squares.
 * null in a series is a window that is not known; it takes part in no product. The greatest of many lags is large by
 * chance, hence the shifts of the same two series.
 */
export function crossCorrelation(
  driver: readonly (number | null)[],
  response: readonly (number | null)[],
): Correlated {
  if (driver.length !== response.length)
    throw new Error(`${driver.length} and ${response.length} windows; the series must be of one length`);
  const windows = driver.filter((each, index) => each !== null && response[index] !== null).length;
  if (windows < MIN_WINDOWS)
    return unknown(
      `Only ${windows} windows are known; ${MIN_WINDOWS} are needed, as fewer correlate by chance.`,
    );
  const [x, y] = [scaled(driver), scaled(response)];
  if (!x || !y) return unknown('One of the two series is the same in all windows.');
  const { maximum, lag } = greatest(x, y, 0);
  const shifts = x.length - 1;
  const all = Array.from({ length: shifts }, (_, at) => greatest(x, y, at + 1).maximum);
  const apart = all.filter((_, at) => Math.min(at + 1, shifts - at) > 2 * MAX_LAG);
  const areMaximaApart = apart.length >= MIN_SHIFTS;
  return {
    value: {
      maximum,
      lag,
      windows,
      shifts,
      areMaximaApart,
      shareOfShiftsLarger: all.filter((each) => each > maximum).length / shifts,
      shiftMaxima: (areMaximaApart ? apart : all).sort((a, b) => a - b),
    },
    why: null,
  };
}

/** Deviations from the mean with a sum of squares of 1, unknown windows at 0; null for a series that does not vary. */
function scaled(series: readonly (number | null)[]): Float64Array | null {
  const known = series.filter((each) => each !== null);
  const mean = known.reduce((sum, each) => sum + each, 0) / known.length;
  const norm = Math.sqrt(known.reduce((sum, each) => sum + (each - mean) ** 2, 0));
  const isFlat = known.every((each) => each === known[0]);
  return isFlat ? null : Float64Array.from(series, (each) => (each === null ? 0 : (each - mean) / norm));
}

function greatest(x: Float64Array, y: Float64Array, shift: number): { maximum: number; lag: number } {
  const windows = x.length;
  const max = Math.min(MAX_LAG, windows - 1);
  let best = { maximum: -Infinity, lag: 0 };
  for (let lag = -max; lag <= max; lag++) {
    let sum = 0;
    for (let at = Math.max(0, -lag); at < Math.min(windows, windows - lag); at++)
      sum += x[at]! * y[(at + lag + shift) % windows]!;
    if (sum > best.maximum) best = { maximum: sum, lag };
  }
  return best;
}

const unknown = (why: string): Correlated => ({ value: null, why });
