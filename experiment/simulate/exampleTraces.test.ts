import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { lengthMs } from '../../src/network/rateTrace.ts';
import { readTrace } from '../../src/network/traces/readTrace.ts';
import { valueOf } from '../../src/shared/result.ts';

/** The traces in docs/examples/traces are nobody's recording: they follow from these formulas. */

const STEP_S = 2;
const LENGTH_S = 240;
const TIMES_S = Array.from({ length: LENGTH_S / STEP_S }, (_, index) => index * STEP_S);

/** Park and Miller's generator: numbers in 0..1, the same for the same seed. */
function draws(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

/** Up and down between 500 and 3500 kbit/s, once in 80 s. */
const wave = (): number[] =>
  TIMES_S.map((atS) => Math.round(2000 + 1500 * Math.sin((2 * Math.PI * atS) / 80)));

/** A rate that each step multiplies by 0.7 to 1.4, within 300 and 5000 kbit/s, and two outages of 8 s. */
function walk(): number[] {
  const draw = draws(1);
  let kbps = 2000;
  return TIMES_S.map((atS) => {
    kbps = Math.min(5000, Math.max(300, kbps * (0.7 + 0.7 * draw())));
    return (atS >= 90 && atS < 98) || (atS >= 180 && atS < 188) ? 50 : Math.round(kbps);
  });
}

test.each([
  ['wave.csv', wave(), 60],
  ['walk.csv', walk(), 80],
] as const)('%s follows from its formula', (name, ratesKbps, rttMs) => {
  const rows = ratesKbps.map((kbps, index) => `${TIMES_S[index]},${kbps},${rttMs}`);
  const text = readFileSync(`docs/examples/traces/${name}`, 'utf8');
  expect(text).toBe(`${['time_s,rate_kbps,rtt_ms', ...rows].join('\n')}\n`);
  const trace = valueOf(readTrace(text, { name }));
  expect([...trace.rateKbps]).toEqual(ratesKbps);
  expect(lengthMs(trace)).toBe(LENGTH_S * 1000);
});
