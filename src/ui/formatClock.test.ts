import { expect, test } from 'vitest';
import { formatClock } from './formatClock.ts';

test.each([
  [0, '0:00'],
  [999, '0:00'],
  [75_000, '1:15'],
  [3_599_999, '59:59'],
  [3_675_000, '1:01:15'],
  [90_000_000, '25:00:00'],
  [-5, '0:00'],
  [NaN, '0:00'],
])('%d ms is %s', (ms, text) => expect(formatClock(ms)).toBe(text));
