import { describe, expect, it, test } from 'vitest';
import { formatRareBound, formatRareFault } from './formatRare.ts';
import { boundRareFaults, boundShare } from './rareBound.ts';
import { metrics } from '../../src/analysis/metrics/registry.ts';
import { pick } from '../../src/shared/registry.ts';

const stalls = pick(metrics, 'rebuffer-rate');
const looks = (count: number) => [{ count, share: 1 }];
const options = (count: number, share = 0.05) => ({ alpha: 0.05, share, looks: looks(count) });

describe('the bound of an arm of a campaign', () => {
  it.each([
    [
      [{ name: 'h2', bad: 0, sessions: 12 }],
      '0 of 12 sessions of h2 stalled: in at most 22.1 % of sessions (95 %)',
    ],
    [
      [
        { name: 'h2', bad: 0, sessions: 12 },
        { name: 'h3', bad: 1, sessions: 12 },
      ],
      '0 of 12 sessions of h2 stalled: in at most 22.1 % of sessions; 1 of 12 of h3: in at most 33.9 % of sessions (95 % each)',
    ],
    [[{ name: 'h2', bad: 0, sessions: 0 }], null],
  ])('%j', (arms, sentence) => expect(formatRareBound(stalls, arms, 0.05)).toBe(sentence));
  it('a metric that is not 0 in most sessions has none', () =>
    expect(
      formatRareBound(pick(metrics, 'mean-bitrate'), [{ name: 'h2', bad: 0, sessions: 12 }], 0.05),
    ).toBeNull());
});

test('what NEW did, in what share at most, and how many pairs would do', () => {
  const rare = boundRareFaults(
    Array.from({ length: 26 }, () => 0),
    { ...options(26), margin: 0.5 },
  );
  expect(formatRareFault({ metric: stalls, rare }, 0.05)).toBe(
    'NEW stalled by 9.1 percentage points more than BASE in 0 of 26 pairs: in at most 10.9 % of sessions (95 %); 59 pairs would rule out 5 %',
  );
  const dead = boundShare([true, ...Array.from({ length: 59 }, () => false)], options(60));
  expect(formatRareFault({ metric: null, rare: dead }, 0.05)).toBe(
    'NEW did not play, though BASE did, in 1 of 60 pairs: in at most 7.7 % of sessions (95 %); with no more of them 93 pairs would rule out 5 %',
  );
});

test('a fault counts where it could reach the margin in its share, and the first share that is open is returned', () => {
  const seen = (sizes: readonly number[]) =>
    boundRareFaults([...sizes, ...Array.from({ length: 60 - sizes.length }, () => 0)], {
      ...options(60),
      margin: 0.5,
    });
  expect(seen([])).toMatchObject({ share: 0.05, bad: 0, isShown: true });
  // In 1 of 60 sessions 3 points are 0.05 in the mean; in three of 60 they may be the margin.
  expect(seen([3])).toMatchObject({ isShown: true });
  expect(seen([10])).toMatchObject({ share: 0.05, bad: 1, isShown: false });
  const open = seen([3, 3, 3, 3, 3, 3]);
  expect(open).toMatchObject({ bad: 6, isShown: false });
  expect(open.share).toBeGreaterThan(0.1);
});

test('a bound at a small alpha does not claim to be certain', () => {
  const arms = [{ name: 'h2', bad: 0, sessions: 12 }];
  expect(formatRareBound(stalls, arms, 1e-4)).toMatch(/ \(99\.99 %\)$/);
});
