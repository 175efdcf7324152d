import type { Figure } from '../figure.ts';
import { noises, type Noise } from './noises.ts';
import type { MeasureOptions, VerdictSection } from './verdictSection.ts';
import { plainTable } from '../../node/textTable.ts';
import { meanTest } from '../../src/analysis/statistics/meanIntervals.ts';
import { seededNormals } from '../../src/analysis/statistics/random.ts';
import { signedRank } from '../../src/analysis/statistics/rankTests.ts';
import { directionOf, holm } from '../../src/analysis/statistics/verdict.ts';

const ALPHA = 0.05;
const CONFIDENCE = 0.95;
/** Count of resamples, as many as a decision at 5 % needs: the verdicts draw ten times as many. */
const RESAMPLES = 1000;
const COUNTS = [10, 20, 40];
/** Count of arms of a family, each compared with each. */
const ARMS = 4;
const FAMILY_COUNTS = [10, 12, 20];
/** Greatest share of families of equal arms that may claim a difference, in %, by the upper end of the interval. */
const MAX_FAMILY_PERCENT = 6;
/** Greatest share of comparisons with skewed differences of mean zero that may claim a direction, in %, at ten pairs. */
const MAX_SKEWED_PERCENT = 10;

/**
 * Section that counts how often a direction is claimed where the mean difference is 0. Equal arms differ symmetrically. Skewed
 * differences of mean zero are a true difference in ranks, so they show how much the two parts of the rule protect the
 * sentence, which is about the mean.
 */
export const falseClaimsSection: VerdictSection = {
  id: 'false-claims',
  label: 'How often a direction is claimed where the true mean difference is 0',
  repetitions: 10_000,
  measure(options) {
    return [...familyFigures(options), ...skewedFigures(options)];
  },
};

function familyFigures({ repetitions, say }: MeasureOptions): Figure[] {
  return FAMILY_COUNTS.map((pairs) => {
    say(`${repetitions} families of ${ARMS} equal arms, ${pairs} pairs`);
    const normals = seededNormals(pairs);
    const claiming = countOf(repetitions, (seed) => {
      const arms = Array.from({ length: ARMS }, () => normals(pairs));
      const differences = arms.flatMap((one, index) =>
        arms.slice(0, index).map((other) => one.map((value, pair) => value - other[pair]!)),
      );
      return isClaiming(differences, seed);
    });
    return {
      id: `false-claims-family-${pairs}`,
      label: `upper end of the interval: families of ${repetitions} that claim a difference, ${ARMS} equal arms, ${pairs} pairs`,
      unit: '%',
      value: 100 * wilson(claiming, repetitions)[1],
      interval: null,
      goalMax: MAX_FAMILY_PERCENT,
      known: `${pairs} pairs: ${((100 * claiming) / repetitions).toFixed(1)} % claim one`,
    };
  });
}

function skewedFigures({ repetitions, root, print, say }: MeasureOptions): Figure[] {
  const found = noises(root).map((noise) => ({
    noise,
    percents: COUNTS.map((pairs) => {
      say(`${noise.label}, ${pairs} pairs`);
      return claimingPercent(noise, pairs, repetitions);
    }),
  }));
  print(
    plainTable(
      ['% of single comparisons that claim a direction', ...COUNTS.map((pairs) => `${pairs} pairs`)],
      found.map(({ noise, percents }) => [noise.label, ...percents.map((percent) => percent.toFixed(1))]),
    ),
  );
  return found
    .filter(({ noise }) => noise.isSkewed)
    .map(({ noise, percents }) => ({
      id: `false-claims-${noise.id}`,
      label: `${noise.label}, ${COUNTS[0]!} pairs: comparisons that claim a direction`,
      unit: '%',
      value: percents[0]!,
      interval: null,
      goalMax: MAX_SKEWED_PERCENT,
    }));
}

function claimingPercent({ draw }: Noise, pairs: number, repetitions: number): number {
  const next = draw(pairs);
  return (100 * countOf(repetitions, (seed) => isClaiming([next(pairs)], seed))) / repetitions;
}

const countOf = (repetitions: number, isSo: (seed: number) => boolean): number => {
  let count = 0;
  for (let seed = 1; seed <= repetitions; seed++) if (isSo(seed)) count += 1;
  return count;
};

/** Tells whether any comparison of a family has a direction, by the rule of the verdicts. */
function isClaiming(family: readonly (readonly number[])[], seed: number): boolean {
  const tests = family.map((differences) => signedRank(differences));
  const corrected = holm(tests.map(({ p }) => p));
  return family.some((differences, index) => {
    const holmP = corrected[index]!;
    // The interval decides only where the first condition, a p-value of Holm's test below ALPHA, holds.
    if (holmP >= ALPHA) return false;
    const interval = meanTest(differences, { seed, resamples: RESAMPLES }).interval(CONFIDENCE);
    const { positive, negative } = tests[index]!;
    return directionOf({ interval, rankBalance: positive - negative, holmP, alpha: ALPHA }) !== 'cannot-tell';
  });
}

/** Returns the 95 % interval of a share (Wilson 1927). */
function wilson(count: number, of: number): readonly [number, number] {
  const z = 1.96;
  const share = count / of;
  const middle = (share + z ** 2 / (2 * of)) / (1 + z ** 2 / of);
  const half = (z * Math.sqrt((share * (1 - share)) / of + z ** 2 / (4 * of ** 2))) / (1 + z ** 2 / of);
  return [middle - half, middle + half];
}
