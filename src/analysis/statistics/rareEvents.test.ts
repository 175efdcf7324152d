import { readFileSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import { expectNear } from './golden.testing.ts';
import { seededRandom } from './random.ts';
import { binomialTail, sequentialShareLooks, sessionsToRuleOut, upperShare } from './rareEvents.ts';
import type { Look } from './sequentialSignFlip.ts';

/** What SciPy and a list of all paths say; `golden/rare_events.py` wrote it. */
const golden = JSON.parse(readFileSync(new URL('golden/rare_events.json', import.meta.url), 'utf8')) as {
  readonly scipy: string;
  readonly bounds: readonly { hits: number; count: number; alpha: number; is: number }[];
  readonly needed: readonly { share: number; alpha: number; hits: number; is: number }[];
  readonly looks: readonly {
    counts: readonly number[];
    share: number;
    alpha: number;
    looks: readonly { maxHits: number }[];
  }[];
};

const looksAt = (counts: readonly number[]): Look[] =>
  counts.map((count) => ({ count, share: count / counts.at(-1)! }));

describe(`SciPy ${golden.scipy} and a list of all paths`, () => {
  it.each(golden.bounds)('$hits of $count at $alpha: at most $is', ({ hits, count, alpha, is }) =>
    expectNear(upperShare(hits, count, alpha), is),
  );
  it.each(golden.needed)('$is sessions rule $share out at $alpha with $hits', ({ share, alpha, hits, is }) =>
    expect(sessionsToRuleOut(share, alpha, hits)).toBe(is),
  );
  it.each(golden.looks)('$counts looks at $share: the most hits', ({ counts, share, alpha, looks }) => {
    const found = sequentialShareLooks(looksAt(counts), { share, alpha });
    expect(found.map(({ maxHits }) => maxHits)).toEqual(looks.map(({ maxHits }) => maxHits));
  });
});

test('none of 12 is up to 22 %, and none of 59 rules 5 % out', () => {
  expect(upperShare(0, 12, 0.05)).toBeCloseTo(0.221, 3);
  expect([58, 59].map((count) => upperShare(0, count, 0.05) < 0.05)).toEqual([false, true]);
});

test('all that were hit, no session at all, and hits that cannot be', () => {
  expect(upperShare(0, 0, 0.05)).toBe(1);
  expect(upperShare(3, 3, 0.05)).toBe(1);
  expect(() => upperShare(4, 3, 0.05)).toThrow('hits are 4 of 3');
  expect(binomialTail(2, 5, 0)).toBe(1);
  expect(binomialTail(2, 5, 1)).toBe(0);
});

test('of many series with just this share, at most alpha are ruled out at any look', () => {
  const [share, alpha, counts] = [0.1, 0.05, [15, 30, 45, 60]] as const;
  const looks = sequentialShareLooks(looksAt(counts), { share, alpha });
  const random = seededRandom(7);
  const SERIES = 4000;
  let ruledOut = 0;
  for (let index = 0; index < SERIES; index++) {
    const hits = Array.from({ length: 60 }, () => random() < share);
    if (looks.some(({ count, maxHits }) => hits.slice(0, count).filter(Boolean).length <= maxHits))
      ruledOut += 1;
  }
  // Three standard deviations of a count of 5 %; counts are few, so that it rejects less often, but it does.
  expect(ruledOut / SERIES).toBeLessThan(alpha + 3 * Math.sqrt((alpha * 0.95) / SERIES));
  expect(ruledOut / SERIES).toBeGreaterThan(alpha / 5);
});
