import { describe, expect, it } from 'vitest';
import { mahimahi } from './mahimahi.ts';
import { errorOf, piecesOf } from './trace.testing.ts';

const lines = (...ms: number[]): string => `${ms.join('\n')}\n`;

describe('Mahimahi', () => {
  it('is 12 Mbit/s with a packet of 1500 bytes in every ms', () =>
    expect(piecesOf(mahimahi.read(lines(...Array.from({ length: 250 }, (_, i) => i + 1)), 'x'))).toEqual([
      [100, 12_000],
      [200, 12_000],
      [250, 12_000],
    ]));

  it('counts packets up to the end of their 100 ms, and ends with the last one', () =>
    expect(piecesOf(mahimahi.read(lines(0, 100, 100, 101, 320), 'x'))).toEqual([
      [100, 360],
      [200, 120],
      [300, 0],
      [320, 600],
    ]));

  it('keeps every bit', () => {
    const times = Array.from({ length: 997 }, (_, index) => Math.floor(index ** 1.5));
    let [bits, beforeMs] = [0, 0];
    for (const [endMs, rateKbps] of piecesOf(mahimahi.read(lines(...times), 'x'))) {
      bits += (endMs! - beforeMs) * rateKbps!;
      beforeMs = endMs!;
    }
    expect(bits).toBeCloseTo(997 * 12_000, 3);
  });

  it.each([
    ['5\n4\n', 'x, line 2, column 1: Time goes back from 5 to 4 ms.'],
    ['5\n5.5\n', 'x, line 2, column 1: The time in ms is 5.5; it must be a whole number.'],
    ['0\n0\n', 'x, line 2, column 1: The trace ends at 0 ms; it must last longer.'],
    ['1\n-2\n', 'x, line 2, column 1: The time in ms is -2; it cannot be negative.'],
    ['1\nNaN\n', 'x, line 2, column 1: The time in ms is "NaN", which is not a number.'],
    ['1\n2 3\n', 'x, line 2, column 3: There is more than a time: "3".'],
    ['1\n9999999999\n', 'x, line 2, column 1: The time 9999999999 ms is more than a week.'],
    ['', 'x: It holds no piece of a trace.'],
  ])('refuses %j', (text, sentence) => expect(errorOf(mahimahi.read(text, 'x'))).toBe(sentence));
});
