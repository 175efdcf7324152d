import { describe, expect, it } from 'vitest';
import type { Answer, RuleEvent } from '../rule.ts';
import { contextOf, downloadOf, ladderOf, momentOf } from '../testMoments.testing.ts';
import { basic } from './basic.ts';

const ladder = ladderOf(300, 750, 1200, 1850);

const answerTo = (events: readonly RuleEvent[], lastRung: number | null): Answer =>
  basic.decide(
    events.reduce((state, event) => basic.observe(state, event), basic.start(contextOf(ladder))),
    momentOf({ lastRung }),
  );
const reasonOf = ({ because }: Answer): string => (typeof because === 'string' ? because : because());

describe('BASIC of AStream', () => {
  it.each([
    { name: 'one rung up, not to the highest that fits', rate: 9000, lastRung: 0, rung: 1 },
    { name: 'nothing above the top', rate: 9000, lastRung: 3, rung: 3 },
    { name: 'exactly 1.2 × is not enough', rate: 900, lastRung: 1, rung: 0 },
    { name: 'just above 1.2 ×', rate: 900.1, lastRung: 1, rung: 2 },
    { name: 'between R and 1.2 R it falls back: it oscillates', rate: 1300, lastRung: 2, rung: 1 },
    { name: 'falls by several at once', rate: 100, lastRung: 3, rung: 0 },
    { name: 'without a rung yet it counts from the lowest', rate: 9000, lastRung: null, rung: 1 },
    { name: 'a rung beyond a ladder that became shorter', rate: 1600, lastRung: 9, rung: 2 },
  ])('$name: rung $rung', ({ rate, lastRung, rung }) => {
    expect(answerTo([downloadOf(rate)], lastRung).rung).toBe(rung);
  });

  it('takes total bits over total time of the last five, not the mean of rates', () => {
    const slow = downloadOf(500, { lastByteMs: 10_000, sizeBytes: (500 * 9000) / 8 });
    expect(answerTo([slow, downloadOf(5000)], 0).values?.['estimateKbps']).toBe(950);
    const five = Array.from({ length: 5 }, () => downloadOf(700));
    expect(answerTo([slow, ...five], 0).values?.['estimateKbps']).toBe(700);
  });

  it('says why', () => {
    expect(reasonOf(answerTo([downloadOf(1200)], 1))).toBe(
      'The recent rate is 1.20 Mbit/s; divided by 1.2, 1.00 Mbit/s covers the present level, so one up: level 3 of 4 (1.20 Mbit/s).',
    );
    expect(reasonOf(answerTo([downloadOf(1200)], 3))).toContain('does not cover the present level');
    expect(reasonOf(answerTo([], 2))).toContain('No download measured yet');
  });

  it('ignores the other media type', () => {
    expect(answerTo([downloadOf(9000, { mediaType: 'audio' })], 0).values?.['estimateKbps']).toBeNull();
  });
});
