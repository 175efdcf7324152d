import { expect, test } from 'vitest';
import { anchorsFrom } from './anchors.ts';

const HEAD = 'trace,opt_feasible_lower,opt_optimistic_upper,other';

test('anchors are found by the names of their columns', () =>
  expect(anchorsFrom('opt_optimistic_upper,trace,opt_feasible_lower\n3,a,2.5\n', 'f')).toEqual(
    new Map([['a', { lower: 2.5, upper: 3 }]]),
  ));

test.each([
  ['trace,opt_feasible_lower\na,1', 'f, line 1: There is no column opt_optimistic_upper.'],
  [`${HEAD}\na,1,2,0\nb,1,`, 'f, line 3, column opt_optimistic_upper: "" is not a number.'],
  [`${HEAD}\na,x,2,0`, 'f, line 2, column opt_feasible_lower: "x" is not a number.'],
])('%j is refused', (text, sentence) => expect(() => anchorsFrom(text, 'f')).toThrow(sentence));
