import { describe, expect, it } from 'vitest';
import { pairs } from './pairs.ts';
import { errorOf, piecesOf } from './testReading.ts';

describe('pairs of ms and kbit/s', () => {
  it.each([
    ['from zero', '0 800\n1000 1200\n3000 0\n'],
    ['from any clock', '1700000000000\t800\r\n1700000001000\t1200\r\n1700000003000\t0\r\n'],
  ])('hold a rate from its time until the next, the last as long as the one before: %s', (_, text) =>
    expect(piecesOf(pairs.read(text, 'x'))).toEqual([
      [1000, 800],
      [3000, 1200],
      [5000, 0],
    ]),
  );

  it.each([
    ['0 800', 'x: It needs two lines or more: each lasts until the time of the next.'],
    ['0 800\n2000 1\n1500 3', 'x, line 3, column 1: Time goes from 2 s to 1.5 s; it must rise.'],
    ['0 800\n1000', 'x, line 2, column 5: The rate in kbit/s is missing.'],
    ['0 800\n1000 -1', 'x, line 2, column 6: The rate in kbit/s is -1; it cannot be negative.'],
    ['0 0\n1000 0', 'x: Every rate is 0: nothing would ever arrive.'],
  ])('refuses %j', (text, sentence) => expect(errorOf(pairs.read(text, 'x'))).toBe(sentence));
});
