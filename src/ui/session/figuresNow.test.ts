import { expect, test } from 'vitest';
import { createSeries } from '../../analysis/timeline/series.ts';
import { advanceTo } from '../../analysis/timeline/appendEvent.ts';
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
