import { describe, expect, it } from 'vitest';
import { lengthMs, type RateTrace } from '../rateTrace.ts';
import { errorOf, piecesOf } from './trace.testing.ts';
import { cooked, pairs } from './twoColumns.ts';

describe('Pensieve-cooked', () => {
  it.each([
    ['tabs', '0.5\t9\n1.5\t2\n4\t0.25\n'],
    ['spaces', '0.5 9\n1.5 2\n4 0.25'],
    ['CRLF and blank lines', '\r\n0.5\t9\r\n1.5\t2\r\n\r\n4\t0.25\r\n'],
    ['a byte order mark and exponents', '\uFEFF5e-1 9\n15.0E-1 2\n+4. .25\n'],
  ])('reads %s', (_, text) => {
    const trace = cooked.read(text, 'bus_1');
    expect(trace).toEqual({
      ok: true,
      value: {
        name: 'bus_1',
        startMs: 500,
        endMs: Float64Array.of(1500, 4000),
        rateKbps: Float64Array.of(2000, 250),
        rttMs: null,
      },
    });
  });

  it.each([
    ['', 'bus_1: It needs two lines or more: the first only says when the trace begins.'],
    ['0 1\n', 'bus_1: It needs two lines or more: the first only says when the trace begins.'],
    ['0 1\n2 1\n1 1', 'bus_1, line 3, column 1: Time goes from 2 s to 1 s; it must rise.'],
    ['3 1\n2 1', 'bus_1, line 2, column 1: Time goes from 3 s to 2 s; it must rise.'],
    ['0 1\n1 1\n1 1', 'bus_1, line 3, column 1: Time goes from 1 s to 1 s; it must rise.'],
    ['0 1\n1 -2', 'bus_1, line 2, column 3: The rate in Mbit/s is -2; it cannot be negative.'],
    ['-1 1\n1 2', 'bus_1, line 1, column 1: The time in s is -1; it cannot be negative.'],
    ['0 1\n1\tNaN', 'bus_1, line 2, column 3: The rate in Mbit/s is "NaN", which is not a number.'],
    ['0 1\n1 1e999', 'bus_1, line 2, column 3: The rate in Mbit/s is "1e999", which is not a number.'],
    ['0 1\n 1,5 2', 'bus_1, line 2, column 2: The time in s is "1,5", which is not a number.'],
    ['0 1\n0x10 2', 'bus_1, line 2, column 1: The time in s is "0x10", which is not a number.'],
    ['0 1\n1', 'bus_1, line 2, column 2: The rate in Mbit/s is missing.'],
    ['0 1\n1 2 3', 'bus_1, line 2, column 5: There is more than a time and a rate: "3".'],
    ['0 1\n1 0\n2 0', 'bus_1: Every rate is 0: nothing would ever arrive.'],
  ])('refuses %j in a sentence', (text, sentence) =>
    expect(errorOf(cooked.read(text, 'bus_1'))).toBe(sentence),
  );
});

describe('a cooked trace with a clock', () => {
  const rates = [0.4, 3, 1.5, 0.8, 2.2];
  const from = (startS: number): RateTrace => {
    const trace = cooked.read(rates.map((rate, index) => `${startS + 2 * index} ${rate}`).join('\n'), 'x');
    if (!trace.ok) throw new Error(trace.error);
    return trace.value;
  };

  it.each([2.5, 7, 100, 1_700_000_000])('begins at 0 where its first time is %d s', (startS) => {
    expect(from(startS)).toEqual(from(0));
    expect(lengthMs(from(startS))).toBe(8000);
  });

  it('keeps a first time that is no longer than a step, as Pensieve does', () => {
    expect(from(2)).toMatchObject({ startMs: 2000 });
    expect(lengthMs(from(2))).toBe(10_000);
  });
});

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
