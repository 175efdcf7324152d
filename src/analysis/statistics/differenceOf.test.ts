import { expect, test } from 'vitest';
import { differenceOf } from './differenceOf.ts';

test.each([
  [0.1 + 0.2, 0.3, 0],
  [200.00000000000003, 200, 0],
  [260.3, 220.1, 40.2],
  [220.1, 260.3, -40.2],
  [1e-12, 0, 1e-12],
  [0, 0, 0],
  [-5, -5.000001, 0.000001],
])('%f less %f is %f', (first, second, difference) => expect(differenceOf(first, second)).toBe(difference));
