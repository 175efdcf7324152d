import { describe, expect, test } from 'vitest';
import { coveredMs, stallsAmong, totalMs, type Span } from './spans.ts';
import { MIN_STALL_MS } from '../../shared/stalls.ts';
import { seededRandom } from '../statistics/random.ts';

/** Whole milliseconds, so that counting those that lie in any span is a second way to the same number. */
function drawnSpans(random: () => number): Span[] {
  const whole = (below: number): number => Math.floor(random() * below);
  return Array.from({ length: whole(12) }, () => {
    const fromMs = whole(200);
    return { fromMs, toMs: fromMs + whole(60) };
  });
}

/** Counts the milliseconds, one by one. */
const counted = (spans: readonly Span[]): number =>
  Array.from({ length: 300 }, (_, ms) => spans.some(({ fromMs, toMs }) => fromMs <= ms && ms < toMs)).filter(
    Boolean,
  ).length;

describe('the time that spans cover', () => {
  test('is that of a count, at least the longest span, at most their sum, in any order', () => {
    const random = seededRandom(1);
    let overlapping = 0;
    for (let round = 0; round < 500; round += 1) {
      const spans = drawnSpans(random);
      const covered = coveredMs(spans);
      expect(covered).toBe(counted(spans));
      expect(covered).toBeGreaterThanOrEqual(Math.max(0, ...spans.map(({ fromMs, toMs }) => toMs - fromMs)));
      expect(covered).toBeLessThanOrEqual(totalMs(spans));
      expect(coveredMs(spans.toReversed())).toBe(covered);
      if (covered < totalMs(spans)) overlapping += 1;
    }
    expect(overlapping).toBeGreaterThan(300);
  });
  test('is the sum of spans that do not overlap, also of those that touch', () => {
    const random = seededRandom(2);
    for (let round = 0; round < 200; round += 1) {
      let atMs = 0;
      const spans = Array.from({ length: 8 }, () => {
        const fromMs = atMs + Math.floor(random() * 3);
        atMs = fromMs + Math.floor(random() * 40);
        return { fromMs, toMs: atMs };
      });
      expect(coveredMs(spans)).toBe(totalMs(spans));
    }
  });
  test('of none is 0', () => expect(coveredMs([])).toBe(0));
});

test('a wait is a stall from the least length on, to the rounding of log times', () => {
  const wait = (ms: number): Span => ({ fromMs: 1000.1, toMs: 1000.1 + ms });
  const waits = [0.8, MIN_STALL_MS - 0.01, MIN_STALL_MS, 5000].map(wait);
  expect(stallsAmong(waits)).toEqual(waits.slice(2));
});
