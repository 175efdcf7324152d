import { expect, test } from 'vitest';
import { exampleDecision, exampleLog } from '../../telemetry/exampleLog.testing.ts';
import type { SessionSeries } from '../timeline/series.ts';
import { seriesOf } from '../timeline/appendEvent.ts';
import { decisionDifferences } from './decisionDifferences.ts';

/** A session that decided these rungs, one a segment from `first` on. */
function decided(rungs: readonly number[], { first = 0, ladder = [400, 1000, 4000] } = {}): SessionSeries {
  const { events, parts } = exampleLog({ segments: 0 });
  return seriesOf({
    parts,
    events: [
      ...events.map((event) =>
        event.kind === 'ladder'
          ? { ...event, rungs: event.rungs.map((rung, index) => ({ ...rung, bitrateKbps: ladder[index]! })) }
          : event,
      ),
      ...rungs.map((rung, index) =>
        exampleDecision({ id: `d${index}`, segment: first + index, rung, atMs: 1000 + index * 2000 }),
      ),
    ],
  });
}

test('segments of both with another rung, in the order in which they were decided', () => {
  const { common, differences, why } = decisionDifferences(decided([0, 1, 1, 2]), decided([0, 2, 1, 0, 1]));
  expect([common, why]).toEqual([4, null]);
  expect(
    differences.map(({ segment, referenceRung, rung, atMs }) => [segment, referenceRung, rung, atMs]),
  ).toEqual([
    [1, 1, 2, 3000],
    [3, 2, 0, 7000],
  ]);
  expect(differences[0]!.segmentMs).toBe(2000);
});

test('a segment that was decided again counts with its last rung', () => {
  const again = decided([1, 1]);
  const other = seriesOf({
    parts: exampleLog().parts,
    events: [
      ...exampleLog({ segments: 0 }).events,
      exampleDecision({ id: 'd0', segment: 0, rung: 2, atMs: 1000 }),
      exampleDecision({ id: 'd1', segment: 0, rung: 1, atMs: 1500 }),
      exampleDecision({ id: 'd2', segment: 1, rung: 1, atMs: 3000 }),
    ],
  });
  expect(decisionDifferences(again, other)).toEqual({ common: 2, differences: [], why: null });
});

test.each([
  ['the two sessions have no segment in common', decided([1, 1]), decided([1, 1], { first: 40 })],
  [
    'its ladder differs from that of the reference',
    decided([1]),
    decided([1], { ladder: [400, 1000, 3000] }),
  ],
  ['this session recorded no decision', decided([1]), decided([])],
  ['the reference recorded no decision', decided([]), decided([1])],
])('%s', (why, reference, other) =>
  expect(decisionDifferences(reference, other)).toEqual({ common: 0, differences: [], why }),
);
