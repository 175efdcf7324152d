import { describe, expect, it } from 'vitest';
import { codelCase, packetMsOf, firstHump } from './codelCase.ts';
import { codelQueue } from './codelQueue.ts';

const every = (stepMs: number, count: number): number[] =>
  Array.from({ length: count }, (_, at) => at * stepMs);
const dropsOf = (waits: readonly (number | null)[]): number[] =>
  waits.flatMap((wait, number) => (wait === null ? [number] : []));

describe('CoDel on paper', () => {
  it('drops nothing of what the link can carry, and nobody waits', () =>
    expect(codelQueue(every(10, 500), { packetMs: 10, limitPackets: 100 })).toEqual(Array(500).fill(0)));

  it('leaves a burst alone that is over within an interval', () => {
    // Ten at once: the last waits 90 ms, but no packet comes that finds the queue bad for 100 ms.
    const waits = codelQueue(Array<number>(10).fill(0), { packetMs: 10, limitPackets: 100 });
    expect(waits).toEqual([0, 10, 20, 30, 40, 50, 60, 70, 80, 90]);
  });

  it('drops by its law where the load stays above the rate: the k-th drop 100 ÷ √k ms after the one before', () => {
    // One packet a ms, twice what is sent: waits grow by half the time.
    const waits = codelQueue(every(0.5, 2400), { packetMs: 1, limitPackets: 10_000 });
    const sentAtMs = (number: number): number => number * 0.5 + (waits[number + 1] ?? 0);
    const [first, ...others] = dropsOf(waits).map(sentAtMs);
    // Above 5 ms after 10 ms, bad after 100 more.
    expect(first).toBeGreaterThan(108);
    expect(first).toBeLessThan(116);
    let dueMs = first!;
    for (const [k, atMs] of others.slice(0, 40).entries()) {
      dueMs += 100 / Math.sqrt(k + 1);
      // To the next packet whose transmission begins.
      expect(Math.abs(atMs - dueMs)).toBeLessThan(2.5);
    }
  });

  it('loses at the tail what exceeds its limit', () =>
    expect(dropsOf(codelQueue(Array<number>(10).fill(0), { packetMs: 10, limitPackets: 4 }))).toEqual([
      // One is being sent when the fifth comes: the first left the queue at once.
      ...[5, 6, 7, 8, 9],
    ]));

  it.each([
    [1000, 2],
    [5000, 1.2],
    [5000, 1.5],
  ])('at %i kbit/s and a load of %f does what the law says in closed form', (rateKbps, load) => {
    const asked = codelCase(rateKbps, 20, load);
    const packetMs = packetMsOf(asked);
    const atMs = every(packetMs / load, Math.round((asked.loadMs * load) / packetMs));
    const { peakMs, backAfterMs, drops } = firstHump(
      atMs,
      codelQueue(atMs, { packetMs, ...asked }),
      packetMs,
    );
    const tooManyPerMs = (load - 1) / packetMs;
    const goneAfterMs = 4 * 100 ** 2 * tooManyPerMs;
    expect(backAfterMs! / goneAfterMs).toBeCloseTo(1, 1);
    // Every packet too many until then was dropped; at the peak the queue leaves as fast as it comes.
    expect(drops / (tooManyPerMs * goneAfterMs)).toBeCloseTo(1, 1);
    expect(peakMs / (((tooManyPerMs * 100) ** 2 * packetMs) / load)).toBeCloseTo(1, 1);
  });
});

describe('the first hump', () => {
  const sentAtMs = every(10, 8);
  it('ends with the first packet after the peak that hardly waits', () =>
    expect(firstHump(sentAtMs, [0, 20, 60, null, 40, null, 14, 90], 10)).toEqual({
      peakMs: 60,
      backAfterMs: 60,
      drops: 2,
    }));
  it('is never over where the queue stays', () =>
    expect(firstHump(sentAtMs, [0, 20, 60, null, 40, 40, 40, 40], 10)).toEqual({
      peakMs: 60,
      backAfterMs: null,
      drops: 1,
    }));
});
