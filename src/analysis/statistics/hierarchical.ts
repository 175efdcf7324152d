import type { Interval } from './intervals.ts';
import type { Draws } from './meanIntervals.ts';
import { seededRandom } from './random.ts';
import { mean } from './summaries.ts';

/**
 * The mean over groups of the mean within each, with its percentile interval from a bootstrap at both levels: groups are
 * drawn with replacement, then the values within each drawn group (Davison and Hinkley 1997, "Bootstrap methods and their
 * application", §3.8). With one value in each group it is the ordinary bootstrap. Drawing at the second level counts the
 * spread within groups a second time, so the interval is somewhat wider than that of the group means. Groups weigh the
 * same, whatever their size. @throws Error without groups, or with an empty one
 */
export function hierarchicalBootstrap(
  groups: readonly (readonly number[])[],
  confidence: number,
  { seed, resamples }: Draws,
): { value: number; interval: Interval } {
  if (groups.length === 0 || groups.some(({ length }) => length === 0))
    throw new Error('a group without values has no mean');
  const random = seededRandom(seed);
  const draw = (count: number): number => Math.floor(random() * count);
  const resampledMean = (group: readonly number[]): number => {
    if (group.length === 1) return group[0]!;
    let sum = 0;
    for (let index = 0; index < group.length; index++) sum += group[draw(group.length)]!;
    return sum / group.length;
  };
  const means = Float64Array.from({ length: resamples }, () => {
    let sum = 0;
    for (let index = 0; index < groups.length; index++) sum += resampledMean(groups[draw(groups.length)]!);
    return sum / groups.length;
  }).sort();
  const at = (share: number): number => means[Math.round(share * (resamples - 1))]!;
  return {
    value: mean(groups.map(mean)),
    interval: [at((1 - confidence) / 2), at((1 + confidence) / 2)],
  };
}
