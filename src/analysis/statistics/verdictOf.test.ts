import { describe, expect, test } from 'vitest';
import { pairCounts } from './pairCounts.ts';
import { verdictOf, type Judged } from './verdictOf.ts';

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
