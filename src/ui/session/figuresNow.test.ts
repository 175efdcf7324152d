import { expect, test } from 'vitest';
import { advanceTo, createSeries } from '../../analysis/series.ts';
import { figuresNow } from './figuresNow.ts';

test('the same moment gives the same figures object, a later one or another session a new one', () => {
  const series = createSeries();
  const first = figuresNow(series);
  expect(figuresNow(series)).toBe(first);
  advanceTo(series, 500);
  const second = figuresNow(series);
  expect(second).not.toBe(first);
  expect(figuresNow(createSeries())).not.toBe(second);
});
