import { welch, type Welch } from './welch.ts';

/**
 * The test of the 2024 racing paper, kept to reproduce its figures and never for a verdict: a t test takes each running
 * mean for a new observation, but it is nearly the one before it. Two equal arms of 150 samples "differ" 87 % of the time.
 */
export interface RunningMeansTest {
  readonly givesVerdicts: false;
  readonly test: Welch | null;
  /** The same test on pairs of arms that are the same. */
  readonly onEqualArms: { readonly tested: number; readonly rejected: number; readonly alpha: number };
}

type Series = readonly number[];

/** `equalArms` are pairs of sessions of one arm: without them the figure says nothing, so there is none. */
export function runningMeansTest(
  [first, second]: readonly [Series, Series],
  equalArms: readonly (readonly [Series, Series])[],
  alpha = 0.05,
): RunningMeansTest | null {
  const tests = equalArms.map(onRunningMeans).filter((test) => test !== null);
  if (tests.length === 0) return null;
  const rejected = tests.filter(({ p }) => p < alpha).length;
  return {
    givesVerdicts: false,
    test: onRunningMeans([first, second]),
    onEqualArms: { tested: tests.length, rejected, alpha },
  };
}

const onRunningMeans = ([first, second]: readonly [Series, Series]): Welch | null =>
  welch(runningMeans(first), runningMeans(second));

/** The mean of the first value, of the first two, and so on. */
function runningMeans(values: Series): number[] {
  let sum = 0;
  return values.map((value, index) => (sum += value) / (index + 1));
}
