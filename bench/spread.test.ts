import { expect, test } from 'vitest';
import { spread } from './spread.ts';

const text = (value: number): string => value.toFixed(1);

test.each([
  [[], 'none'],
  [[2], '2.0'],
  [[3, 1, 2], '2.0 (1.0 to 3.0)'],
])('%j', (values, wanted) => expect(spread(values, text)).toBe(wanted));
