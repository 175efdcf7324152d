import { seededRandom } from './random.ts';

/** One of several looks at values that become more: at the first `count` of them. */
export interface Look {
  readonly count: number;
  /** How much of all planned values that is, above 0; 1 for the last look, whatever its count. */
  readonly share: number;
}

/** What one look shows. */
interface LookResult extends Look {
  /** How much of alpha may be spent up to this look. */
  readonly level: number;
  /**
   * Share of all patterns of signs that an earlier look rejects or whose sum is at least as large as that of the values.
   * At or below `level` the look rejects.
   */
  readonly p: number;
  /** Whether this look or an earlier one rejects. */
  readonly isShown: boolean;
}

/**
 * Alpha that may be spent up to a share of the information: the function of Lan and DeMets (Biometrika 70, 1983, α*₂) that
 * gives about the boundaries of Pocock (1977), which stop early more often than those of O'Brien and Fleming.
 */
export const spendAlpha = (alpha: number, share: number): number =>
  alpha * Math.log(1 + (Math.E - 1) * Math.min(1, share));

/** The smallest number of values at which the last look can reject at all: 2^−count is the smallest p. */
export const minCount = (alpha: number): number => Math.ceil(-Math.log2(alpha) - 1e-12);

export interface SequentialOptions {
  /** One-sided level of all looks together. */
  readonly alpha: number;
  readonly seed: number;
  /** Patterns that stand for all where there are too many to take all; the first leaves every sign as it is. Absent: 10,000. */
  readonly draws?: number;
}

/**
 * Tests whether the mean of values is above 0, at several looks, by flipping their signs (Fisher 1935, §21). Under the
 * hypothesis that values are distributed symmetrically about 0 every pattern of signs is as likely as any other, whatever
 * the distribution; differences of pairs are, if nothing differs between the arms and their order is random. Every look has
 * its boundary from the patterns themselves: those that no earlier look rejects, and as many of the largest sums as the
 * spending function allows. So the chance of a rejection at any look is at most alpha, at any number of values, also with
 * drawn patterns, of which the values are one (Hemerik and Goeman, Test 27, 2018). For values that are not symmetric it holds
 * for many values only, as with Student's t, of which the sum is a function for given absolute values.
 */
export function sequentialSignFlip(
  values: readonly number[],
  looks: readonly Look[],
  { alpha, seed, draws = DRAWS }: SequentialOptions,
): LookResult[] {
  const drawn = drawnPatterns(seed, draws);
  const passed: Boundary[] = [];
  const results: LookResult[] = [];
  let isShown = false;
  for (const { count, share } of looks) {
    const level = spendAlpha(alpha, share);
    const patterns = count <= MAX_EXACT ? allPatterns(count) : drawn;
    const sums = sumsAt(values.slice(0, count), passed, patterns);
    const boundary = boundaryOf(sums, level);
    isShown ||= sums.of[0]! >= boundary - sums.tolerance;
    results.push({ count, share, level, p: shareAsLarge(sums), isShown });
    passed.push({ count, boundary });
  }
  return results;
}

const DRAWS = 10_000;

/** So many values have at most 8,192 patterns: all of them are taken. */
const MAX_EXACT = 13;

interface Boundary {
  readonly count: number;
  /** Sums as large as this are rejected; infinite where none is. */
  readonly boundary: number;
}

/** Patterns of signs; pattern 0 flips none. */
interface Patterns {
  readonly size: number;
  /** Says for each pattern whether it flips the value at a place: 1 or 0. */
  flips(place: number): Uint8Array;
}

const allPatterns = (count: number): Patterns => {
  const size = 2 ** count;
  return { size, flips: (place) => Uint8Array.from({ length: size }, (_, index) => (index >> place) & 1) };
};

/** Tests of one gate draw the same patterns at each look and for each metric, and drawing takes most of their time. */
let lastDrawn: { readonly seed: number; readonly patterns: Patterns } | null = null;

/** Returns random patterns of signs; those of the first values do not depend on how many values follow. */
function drawnPatterns(seed: number, size: number): Patterns {
  if (lastDrawn?.seed !== seed || lastDrawn.patterns.size !== size)
    lastDrawn = { seed, patterns: drawPatterns(seed, size) };
  return lastDrawn.patterns;
}

function drawPatterns(seed: number, size: number): Patterns {
  const random = seededRandom(seed);
  const known: Uint8Array[] = [];
  const drawOne = (): Uint8Array =>
    Uint8Array.from({ length: size }, (_, index) => (index > 0 && random() < 0.5 ? 1 : 0));
  return {
    size,
    flips(place) {
      while (known.length <= place) known.push(drawOne());
      return known[place]!;
    },
  };
}

interface Sums {
  /** Sum of the values under each pattern of signs. */
  readonly of: Float64Array;
  /** Patterns that an earlier look rejects. */
  readonly isRejected: Uint8Array;
  readonly rejected: number;
  /** Sums that differ by less are equal but for rounding. */
  readonly tolerance: number;
}

function sumsAt(values: readonly number[], passed: readonly Boundary[], patterns: Patterns): Sums {
  const of = new Float64Array(patterns.size);
  const isRejected = new Uint8Array(patterns.size);
  const tolerance = 1e-9 * values.reduce((sum, value) => sum + Math.abs(value), 0);
  const rejectAt = (count: number): void => {
    for (const each of passed)
      if (each.count === count)
        for (let index = 0; index < of.length; index++)
          if (of[index]! >= each.boundary - tolerance) isRejected[index] = 1;
  };
  rejectAt(0);
  for (const [place, value] of values.entries()) {
    const flips = patterns.flips(place);
    // Without a branch, which no processor predicts for drawn signs; value − 2·value is −value to the last digit.
    for (let index = 0; index < of.length; index++) of[index]! += value - 2 * value * flips[index]!;
    rejectAt(place + 1);
  }
  return { of, isRejected, rejected: isRejected.reduce((sum, each) => sum + each, 0), tolerance };
}

/** The smallest sum that is still rejected: with all that are as large, and all rejected before, no more than the level. */
function boundaryOf({ of, isRejected, rejected, tolerance }: Sums, level: number): number {
  const live = of.filter((_, index) => isRejected[index] === 0).sort();
  const free = Math.floor(level * of.length + 1e-9) - rejected;
  if (free >= live.length) return -Infinity;
  const first = free > 0 ? live.findIndex((sum) => sum > live[live.length - 1 - free]! + tolerance) : -1;
  return first < 0 ? Infinity : live[first]!;
}

function shareAsLarge({ of, isRejected, tolerance }: Sums): number {
  let count = 0;
  for (let index = 0; index < of.length; index++)
    if (isRejected[index] === 1 || of[index]! >= of[0]! - tolerance) count += 1;
  return count / of.length;
}
