import { expect, test } from 'vitest';
import { endOf } from '../factors/ends.ts';
import { endingOptions } from './connectionEnds.ts';

test.each(['', 'often', 'requests', 'requests-1', 'requests-1001', 'seconds-0', 'seconds-301', 'idle-1.5'])(
  '%j is no end of connections',
  (text) => expect(endOf(text)).toBeNull(),
);

test('nothing is ended where nobody asked, and idle connections after their time', () => {
  expect([undefined, 'never'].map(endingOptions)).toEqual([{}, {}]);
  expect(endingOptions('idle-10')).toEqual({ idleSeconds: 10 });
});

/** Counts as the origin does (`lab/origin/src/faults/rules.rs`): the first rule that hits hides the request from the next ones. */
function hits(text: string, requestsAtMs: readonly number[]): number[] {
  const rules = endingOptions(text).faults!.map((rule) => ({ rule, seen: 0 }));
  return requestsAtMs.flatMap((atMs, index) => {
    for (const each of rules) {
      const { skip = 0, count = Infinity } = each.rule as { skip?: number; count?: number };
      const { fromMs = 0, untilMs = Infinity } = each.rule;
      if (atMs < fromMs || atMs >= untilMs) continue;
      each.seen += 1;
      if (each.seen > skip && each.seen <= skip + count) return [index + 1];
    }
    return [];
  });
}

test('every n-th request is the last of its connection', () =>
  expect(hits('requests-3', Array<number>(10).fill(0))).toEqual([3, 6, 9]));

test.each(['seconds-1', 'seconds-30', 'seconds-300'])('%s goes on for an hour', (text) =>
  expect(hits(text, [3_700_000])).toEqual([1]),
);

test('every second request is the last of its connection, for an hour of them', () =>
  expect(endingOptions('requests-2').faults!.at(-1)).toMatchObject({ skip: 6000 }));

test('the first request after each n seconds is the last of its connection', () =>
  expect(hits('seconds-10', [1000, 9000, 10_500, 11_000, 45_000, 46_000, 51_000])).toEqual([3, 5, 7]));
