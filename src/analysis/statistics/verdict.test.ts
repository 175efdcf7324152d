import { describe, expect, test } from 'vitest';
import { pairCounts, verdictOf, type Judged, holm, differenceOf } from './verdict.ts';
import { seededRandom } from './random.ts';

const of = (changes: Partial<Judged>) =>
  verdictOf({
    interval: [180, 240],
    rankBalance: 600,
    holmP: 0.001,
    alpha: 0.05,
    margin: 50,
    better: 'higher',
    ...changes,
  });

describe('a verdict', () => {
  test.each<[string, string, Partial<Judged>]>([
    ['better', 'more of what is good', {}],
    ['worse', 'more of what is bad', { better: 'lower' }],
    ['worse', 'less of what is good', { interval: [-240, -180], rankBalance: -600 }],
    ['better', 'less of what is bad', { interval: [-240, -180], rankBalance: -600, better: 'lower' }],
    ['equivalent', 'all of the interval within the margin', { interval: [-20, 30], holmP: 0.6 }],
    ['equivalent', 'a sure difference that does not matter', { interval: [10, 30] }],
    ['cannot-tell', 'the interval touches the margin', { interval: [-20, 50], holmP: 0.6 }],
    ['cannot-tell', 'p is alpha', { holmP: 0.05 }],
    ['cannot-tell', 'the interval has 0 in it', { interval: [-1, 240] }],
    ['cannot-tell', 'ranks say the opposite of the mean', { rankBalance: -600 }],
    ['cannot-tell', 'no margin: nothing is equivalent', { interval: [0, 0], margin: 0, holmP: 1 }],
    ['equivalent', 'the same numbers in both arms', { interval: [0, 0], rankBalance: 0, holmP: 1 }],
  ])('%s: %s', (verdict, _, changes) => expect(of(changes)).toBe(verdict));
});

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
