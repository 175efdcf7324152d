import { expect, test } from 'vitest';
import { holm } from './holm.ts';
import { seededRandom } from '../seededRandom.ts';

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
