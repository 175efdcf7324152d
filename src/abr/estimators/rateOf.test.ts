import { expect, it } from 'vitest';
import { downloadOf } from '../testMoments.ts';
import { rateOf } from './rateOf.ts';

it.each([
  { name: 'from the request to the last byte', over: {}, rate: 2000 },
  { name: 'with the wait for the first byte in it', over: { startMs: 0, firstByteMs: 1000 }, rate: 1000 },
  { name: 'nothing of an abandoned one', over: { aborted: true }, rate: null },
  { name: 'nothing where no time passed', over: { lastByteMs: 1000 }, rate: null },
  { name: 'nothing of a clock that ran backwards', over: { lastByteMs: 900 }, rate: null },
])('the rate of a download: $name', ({ over, rate }) => {
  expect(rateOf(downloadOf(2000, over))).toBe(rate);
});
