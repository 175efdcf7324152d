import { studentQuantile, studentTail } from './distributions.ts';

/**
 * The test of the 2024 racing paper, kept to reproduce its figures and never for a verdict: a t test takes each running
 * mean for a new observation, but it is nearly the one before it. Two equal arms of 150 samples "differ" 87 % of the time.
 */
export interface RunningMeansTest {
  readonly givesVerdicts: false;
  readonly alpha: number;
  /** Pairs of sessions by what the test says of the first: its running means are higher, not different, or lower. */
  readonly higher: number;
  readonly similar: number;
  readonly lower: number;
  /** Pairs of which the test says nothing: fewer than two samples, or constants that differ. */
  readonly untested: number;
  /** Number of pairs of sessions of one arm that the test compares, and that it rejects. */
  readonly onEqualArms: { readonly tested: number; readonly rejected: number };
}

type Series = readonly number[];
type SeriesPair = readonly [first: Series, second: Series];

/** `equalArms` are pairs of sessions of one arm: without them the shares say nothing, so there are none. */
export function runningMeansTest(
  pairs: readonly SeriesPair[],
  equalArms: readonly SeriesPair[],
  alpha = 0.05,
): RunningMeansTest | null {
  const reported = (of: readonly SeriesPair[]) => of.map((pair) => directionOf(pair, alpha));
  const equal = reported(equalArms).filter((direction) => direction !== null);
  if (equal.length === 0) return null;
  const found = reported(pairs);
  const count = (wanted: number | null): number => found.filter((direction) => direction === wanted).length;
  return {
    givesVerdicts: false,
    alpha,
    higher: count(1),
    similar: count(0),
    lower: count(-1),
    untested: count(null),
    onEqualArms: { tested: equal.length, rejected: equal.filter((direction) => direction !== 0).length },
  };
}

/** Returns 1: the first is higher, −1: it is lower, 0: they do not differ; null: the test does not exist. */
function directionOf([first, second]: SeriesPair, alpha: number): 1 | 0 | -1 | null {
  const test = welch(runningMeans(first), runningMeans(second));
  if (test) return test.p >= alpha ? 0 : test.t > 0 ? 1 : -1;
  // Neither varies, as where nothing ever stalls: the same constant is no difference.
  const isSame = first.length > 1 && second.length > 1 && first[0] === second[0];
  return isSame ? 0 : null;
}

/** The mean of the first value, of the first two, and so on. */
function runningMeans(values: Series): number[] {
  let sum = 0;
  return values.map((value, index) => (sum += value) / (index + 1));
}

/** Welch's t test of two samples with variances of their own (1947), two-sided. */
interface Welch {
  readonly t: number;
  readonly degrees: number;
  readonly p: number;
}

/** Returns Welch's t test; null where a sample has fewer than two values, or neither varies. */
export function welch(first: readonly number[], second: readonly number[]): Welch | null {
  const [a, b] = [meanError(first), meanError(second)];
  const both = a.squared + b.squared;
  if (!(both > 0) || first.length < 2 || second.length < 2) return null;
  const t = (a.mean - b.mean) / Math.sqrt(both);
  const degrees = both ** 2 / (a.squared ** 2 / (first.length - 1) + b.squared ** 2 / (second.length - 1));
  return { t, degrees, p: 2 * studentTail(Math.abs(t), degrees) };
}

/** The interval of the difference of two means, first less second, by Welch's degrees of freedom; null as `welch`. */
export function welchInterval(
  first: readonly number[],
  second: readonly number[],
  confidence = 0.95,
): readonly [number, number] | null {
  const test = welch(first, second);
  if (test === null) return null;
  const [a, b] = [meanError(first), meanError(second)];
  const half = studentQuantile((1 + confidence) / 2, test.degrees) * Math.sqrt(a.squared + b.squared);
  return [a.mean - b.mean - half, a.mean - b.mean + half];
}

function meanError(values: readonly number[]): { mean: number; squared: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, squared: squares / (values.length - 1) / values.length };
}
