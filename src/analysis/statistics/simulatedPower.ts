import { normalQuantile } from './distributions.ts';
import { meanTest, skewedInterval } from './meanIntervals.ts';
import { signedRankLimit } from './rankTests.ts';
import { seededNormals, seededRandom } from './random.ts';
import type { Interval } from './intervals.ts';

/** A direction is found where the signed-rank p is below alpha and the 95 % interval of the mean lies on one side of 0. */
interface Decision {
  readonly pairs: number;
  /** Level of one two-sided test; for a family divided by the number of tests: the first step of Holm's correction (1979). */
  readonly alpha: number;
}

/**
 * Differences of pairs as a population to draw campaigns from. `residuals` are additive and vary about their own mean: the
 * differences themselves, or logarithms of ratios.
 */
export interface Population {
  readonly residuals: readonly number[];
  /** The difference of pair `place`, in the metric's unit, where its residual has this value. */
  differenceOf(residual: number, place: number): number;
}

/** Differences in the metric's unit: a shift adds to each of them. */
export const shiftedDifferences = (differences: readonly number[]): Population => ({
  residuals: differences,
  differenceOf: (residual) => residual,
});

/** Ratios first to second, by their logarithms: a shift multiplies the first value of each pair. */
export const shiftedRatios = (logRatios: readonly number[], seconds: readonly number[]): Population => ({
  residuals: logRatios,
  differenceOf: (residual, place) => seconds[place]! * Math.expm1(residual),
});

/** Draws the differences of a campaign in which the arms differ by `shift` on the scale of the residuals. */
type DrawCampaign = (pairs: number, shift: number) => number[];

/**
 * Draws campaigns from a population of which only these residuals are known. Each campaign comes from a resample of its own
 * (Efron and Tibshirani 1993, §8.3; the double bootstrap): the residuals at hand are themselves a draw, and another one would
 * spread otherwise. The first resample loses 1/n of the variance, which the scale gives back.
 */
function campaignsFrom({ residuals, differenceOf }: Population, isSymmetric = false): DrawCampaign {
  const random = seededRandom(SEED);
  const count = residuals.length;
  const scale = Math.sqrt(count / (count - 1));
  const drawPlace = (): number => Math.floor(random() * count);
  return (pairs, shift) => {
    const places = Array.from({ length: count }, drawPlace);
    const mean = places.reduce((sum, place) => sum + residuals[place]!, 0) / count;
    return Array.from({ length: pairs }, () => {
      const place = places[drawPlace()]!;
      const side = isSymmetric && random() < 0.5 ? -scale : scale;
      return differenceOf(side * (residuals[place]! - mean) + shift, place);
    });
  };
}

function deviationOf(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1));
}

/** Draws campaigns whose residuals are normal with a known standard deviation. */
export function normalCampaigns(
  deviation: number,
  differenceOf: (residual: number) => number,
  seed: number,
): DrawCampaign {
  const normals = seededNormals(seed);
  return (pairs, shift) => normals(pairs).map((normal) => differenceOf(deviation * normal + shift));
}

/** Number of simulated campaigns of each direction: the standard error of a chance of 80 % is 2 percentage points. */
const CAMPAIGNS = 400;
/** Number of simulated campaigns for a plan, where the spread is certain: the standard error is 0.9 percentage points. */
const PLANNED_CAMPAIGNS = 2000;
/** Number of resamples of one simulated campaign's bootstrap. The noise of its ends averages over the campaigns. */
const RESAMPLES = 200;
/** With more pairs Hall's interval takes the place of bootstrap-t: from 20 on both have the same coverage and width. */
const MAX_BOOTSTRAP_PAIRS = 20;
/** Up to so many pairs are simulated. Beyond, the size that is found shrinks with the root of the pairs. */
export const MAX_SIMULATED_PAIRS = 200;
const CONFIDENCE = 0.95;
const SEED = 1;

/** The interval that a verdict has, or without ends where it has none. */
function intervalOf(differences: readonly number[], seed: number): Interval {
  if (differences.length > MAX_BOOTSTRAP_PAIRS) return skewedInterval(differences, CONFIDENCE);
  const test = meanTest(differences, { seed, resamples: RESAMPLES });
  return test.interval(CONFIDENCE) ?? [-Infinity, Infinity];
}

/**
 * The least size of a true difference that so many pairs find with a chance of `wanted`, on the scale of the residuals of the
 * population, whichever arm is ahead: the larger one of both directions. The decision is simulated as it stands. A shift moves interval and
 * ranks alike, so each simulated campaign has a least shift from which on it is found, and the answer is a quantile of these.
 * null: no size is found so often.
 */
export function detectableShift(
  differences: readonly number[],
  { pairs, alpha }: Decision,
  wanted = 0.8,
): number | null {
  const draw = campaignsFrom(shiftedDifferences(differences));
  const shifts = minShifts(draw, { pairs, alpha }, { wanted, campaigns: CAMPAIGNS });
  const shift = Math.max(0, ...shifts);
  return Number.isFinite(shift) ? shift : null;
}

/**
 * Returns the size of a true difference that so many pairs find with a chance of `wanted`, for normal differences and in their
 * standard deviations. Beyond 200 pairs it shrinks with the root of the pairs. null: no size is found so often.
 */
export function normalDetectable({ pairs, alpha }: Decision, wanted = 0.8): number | null {
  const simulated = Math.min(pairs, MAX_SIMULATED_PAIRS);
  const draw = normalCampaigns(1, (residual) => residual, SEED);
  const options = { wanted, campaigns: PLANNED_CAMPAIGNS };
  const [higher, lower] = minShifts(draw, { pairs: simulated, alpha }, options);
  const shift = (higher + lower) / 2;
  return Number.isFinite(shift) ? shift * Math.sqrt(simulated / pairs) : null;
}

/** Returns the least shift that is found so often, first arm ahead and second arm ahead; infinite where none is. */
function minShifts(
  draw: DrawCampaign,
  { pairs, alpha }: Decision,
  { wanted, campaigns }: { readonly wanted: number; readonly campaigns: number },
): [number, number] {
  const limit = signedRankLimit(pairs, alpha);
  if (limit < 0) return [Infinity, Infinity];
  const shifts = Array.from({ length: campaigns }, (_, campaign) =>
    criticalShifts(draw(pairs, 0), limit, campaign + 1),
  );
  const quantileOf = (side: 0 | 1): number =>
    Float64Array.from(shifts, (each) => each[side]).sort()[Math.ceil(wanted * campaigns) - 1]!;
  return [quantileOf(0), quantileOf(1)];
}

/** Returns the shift from which on a campaign is found to be higher, and that from which on it is found to be lower. */
function criticalShifts(differences: readonly number[], limit: number, seed: number): [number, number] {
  const [min, max] = intervalOf(differences, seed);
  const [low, high] = walshBounds(differences, limit);
  return [Math.max(-min, -low), Math.max(max, high)];
}

/**
 * The means of two (Walsh averages) beyond which `limit` others lie on each side: the sum of the ranks of one sign is the number of means
 * of two on that side of 0 (Tukey 1949), each difference being a mean of two with itself.
 */
function walshBounds(differences: readonly number[], limit: number): Interval {
  const sorted = Float64Array.from(differences).sort();
  const mirrored = sorted.map((each) => -each).reverse();
  return [smallestMeanOfTwo(sorted, limit), -smallestMeanOfTwo(mirrored, limit)];
}

/** The mean of two with `rank` smaller ones, by bisection of the count below a value. */
function smallestMeanOfTwo(ascending: Float64Array, rank: number): number {
  let [low, high] = [ascending[0]!, ascending.at(-1)!];
  for (let step = 0; step < 50 && low < high; step++) {
    const middle = (low + high) / 2;
    if (countMeansUpTo(ascending, middle) > rank) high = middle;
    else low = middle;
  }
  return high;
}

function countMeansUpTo(ascending: Float64Array, value: number): number {
  let count = 0;
  let last = ascending.length - 1;
  for (let first = 0; first <= last; first++) {
    while (last >= first && ascending[first]! + ascending[last]! > 2 * value) last -= 1;
    count += Math.max(0, last - first + 1);
  }
  return count;
}

/**
 * The chance that so many pairs find a difference of `shift` in favour of the first arm, on the scale of the residuals. Of symmetric
 * noise it is the same for both arms.
 */
export function chanceToFind(
  draw: DrawCampaign,
  shift: number,
  { pairs, alpha }: Decision,
  campaigns = PLANNED_CAMPAIGNS,
): number {
  const limit = signedRankLimit(pairs, alpha);
  let found = 0;
  for (let campaign = 1; campaign <= campaigns; campaign++) {
    const differences = draw(pairs, shift);
    const ranksAgainst = countMeansUpTo(Float64Array.from(differences).sort(), 0);
    if (ranksAgainst <= limit && intervalOf(differences, campaign)[0] > 0) found += 1;
  }
  return found / campaigns;
}

/** Each step solves for the pairs as if the test statistic were normal, which it is but for its tails. */
const SEARCH_STEPS = 4;
/** Largest factor of one step of the search, on the scale of the root of the pairs. */
const MAX_STEP = 2;
/** A chance of 0 or 1 has no normal quantile. */
const MAX_CHANCE = 0.999;

/**
 * The pairs, at least `min`, that find a difference of `shift` with a chance of `wanted`, on the scale of the residuals. null for
 * a shift of 0 or residuals without spread.
 */
export function pairsNeeded(
  population: Population,
  { shift, alpha, min }: { readonly shift: number; readonly alpha: number; readonly min: number },
  wanted = 0.8,
): number | null {
  const { residuals } = population;
  if (!(shift > 0) || residuals.every((each) => each === residuals[0])) return null;
  const limit = normalQuantile(1 - alpha / 2);
  const distance = limit + normalQuantile(wanted);
  let pairs = Math.max(min, (distance * (deviationOf(residuals) / shift)) ** 2);
  for (let step = 0; step < SEARCH_STEPS; step++) {
    const simulated = Math.round(Math.min(pairs, MAX_SIMULATED_PAIRS));
    // Noise that is alike in both arms is symmetric. A sample's own skewness, kept for many times its pairs, would stand for a difference.
    const draw = campaignsFrom(population, true);
    const chance = chanceToFind(
      draw,
      shift * Math.sqrt(pairs / simulated),
      { pairs: simulated, alpha },
      CAMPAIGNS,
    );
    const reached = limit + normalQuantile(Math.min(MAX_CHANCE, Math.max(1 - MAX_CHANCE, chance)));
    const ratio = Math.min(MAX_STEP, distance / Math.max(reached, distance / MAX_STEP));
    pairs = Math.max(min, pairs * ratio ** 2);
  }
  return Math.ceil(pairs);
}
