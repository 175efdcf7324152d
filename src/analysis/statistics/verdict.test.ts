import { describe, expect, test } from 'vitest';
import {
  differenceOf,
  directionOf,
  holm,
  pairCounts,
  relevanceOf,
  verdictOf,
  type DirectionEvidence,
  type RelevanceEvidence,
} from './verdict.ts';
import { seededRandom } from './random.ts';

const direction = (changes: Partial<DirectionEvidence>) =>
  directionOf({ interval: [180, 240], rankBalance: 600, holmP: 0.001, alpha: 0.05, ...changes });

const relevance = (changes: Partial<RelevanceEvidence>) =>
  relevanceOf({
    interval: [180, 240],
    margin: 50,
    insideP: 1,
    beyondP: 0.001,
    alpha: 0.05,
    ...changes,
  });

describe('a direction', () => {
  test.each<[string, string, Partial<DirectionEvidence>]>([
    ['higher', 'interval, ranks and p agree', {}],
    ['lower', 'all the other way', { interval: [-240, -180], rankBalance: -600 }],
    ['higher', 'however small it is', { interval: [1e-6, 2e-6] }],
    ['cannot-tell', 'p is alpha', { holmP: 0.05 }],
    ['cannot-tell', 'the interval has 0 in it', { interval: [-1, 240] }],
    ['cannot-tell', 'ranks say the opposite of the mean', { rankBalance: -600 }],
    ['cannot-tell', 'the same numbers in both arms', { interval: [0, 0], rankBalance: 0, holmP: 1 }],
    ['cannot-tell', 'too few different values for an interval', { interval: null }],
  ])('%s: %s', (is, _, changes) => expect(direction(changes)).toBe(is));
});

describe('relevance', () => {
  test.each<[string, string, Partial<RelevanceEvidence>]>([
    ['beyond', 'all of the interval beyond the margin', {}],
    ['beyond', 'on the other side', { interval: [-240, -180] }],
    ['undecided', 'beyond, but not after the correction', { beyondP: 0.06 }],
    ['undecided', 'the interval reaches the margin', { interval: [50, 240] }],
    ['inside', 'all of the interval inside the margin', { interval: [-20, 30], insideP: 0.001 }],
    ['undecided', 'inside, but not after the correction', { interval: [-20, 30], insideP: 0.05 }],
    ['undecided', 'the interval touches the margin', { interval: [-20, 50], insideP: 0.001 }],
    ['undecided', 'no margin: nothing is inside', { interval: [0, 0], margin: 0, insideP: 0.001 }],
    ['beyond', 'no margin: any difference is beyond', { margin: 0 }],
    ['undecided', 'no interval', { interval: null, insideP: 0.001 }],
  ])('%s: %s', (is, _, changes) => expect(relevance(changes)).toBe(is));
});

test.each([
  ['higher', 'beyond', 'higher', 'better'],
  ['higher', 'undecided', 'higher', 'better'],
  ['higher', 'beyond', 'lower', 'worse'],
  ['lower', 'undecided', 'lower', 'better'],
  ['lower', 'inside', 'higher', 'worse-inside'],
  ['lower', 'inside', 'lower', 'better-inside'],
  ['cannot-tell', 'inside', 'higher', 'equivalent'],
  ['cannot-tell', 'undecided', 'higher', 'cannot-tell'],
  ['cannot-tell', 'beyond', 'lower', 'cannot-tell'],
] as const)('%s and %s, where %s is better, is %s', (direction, relevance, better, verdict) =>
  expect(verdictOf({ direction, relevance }, better)).toBe(verdict),
);

test('who won hangs on what is good', () => {
  expect(pairCounts([1, 2, 0, -3], 'higher')).toEqual({ won: 2, lost: 1, tied: 1 });
  expect(pairCounts([1, 2, 0, -3], 'lower')).toEqual({ won: 1, lost: 2, tied: 1 });
});

test('statsmodels 0.15.0: multipletests([0.01, 0.04, 0.03, 0.005, 0.5, 0.04], method="holm")[1]', () =>
  [0.05, 0.12, 0.12, 0.03, 0.5, 0.12].forEach((is, index) =>
    expect(holm([0.01, 0.04, 0.03, 0.005, 0.5, 0.04])[index]).toBeCloseTo(is, 12),
  ));

test('one test needs no correction, none none at all', () => {
  expect(holm([0.02])).toEqual([0.02]);
  expect(holm([])).toEqual([]);
});

test('keeps the order of ps, lowers none, passes 1 never, and holds in any order of the family', () => {
  const random = seededRandom(2);
  for (let family = 1; family < 40; family++) {
    const ps = Array.from({ length: family }, () => random() ** 3);
    const corrected = holm(ps);
    const ascending = ps.map((p, index) => [p, corrected[index]!] as const).sort(([a], [b]) => a - b);
    ascending.forEach(([p, after], index) => {
      expect(after).toBeGreaterThanOrEqual(Math.max(p, ascending[index - 1]?.[1] ?? 0));
      expect(after).toBeLessThanOrEqual(1);
    });
    expect(ascending[0]![1]).toBe(Math.min(1, family * ascending[0]![0]));
    expect(holm([...ps].reverse()).reverse()).toEqual(corrected);
  }
});

test.each([
  [0.1 + 0.2, 0.3, 0],
  [200.00000000000003, 200, 0],
  [260.3, 220.1, 40.2],
  [220.1, 260.3, -40.2],
  [1e-12, 0, 1e-12],
  [0, 0, 0],
  [-5, -5.000001, 0.000001],
])('%f less %f is %f', (first, second, difference) => expect(differenceOf(first, second)).toBe(difference));
