import { expect, test } from 'vitest';
import type { SessionEvent } from '../../telemetry/schema/sessionLog.ts';
import { exampleSession } from './example.testing.ts';
import { seriesOf } from './appendEvent.ts';
import { sizesAt } from './moment.ts';

const input = (atMs: number, event: object, mediaType = 'video'): SessionEvent =>
  ({
    kind: 'rule-input',
    id: `t${atMs}`,
    atMs,
    missing: {},
    mediaType,
    input: { atMs, ...event },
  }) as SessionEvent;
const ladder = { kind: 'ladder', ladder: [{ bitrateKbps: 300, width: null, height: null }], segmentMs: 4000 };
const sizes = (from: string) => ({ kind: 'sizes', from, rung: 0, firstSegment: 0, sizesBytes: [1] });

const series = seriesOf(
  exampleSession([
    input(100, ladder),
    input(101, sizes('sidx')),
    input(101.5, sizes('sidx')),
    input(5000, ladder),
    input(9000, sizes('side-file')),
  ]),
);

test.each([
  [50, null],
  [99, 'sidx'],
  [4000, 'sidx'],
  [6000, null],
  [9000, 'side-file'],
] as const)('at %d ms sizes came from %s', (atMs, from) => expect(sizesAt(series, 'video', atMs)).toBe(from));

test('each media type has its own, and a change is kept once', () => {
  expect(sizesAt(series, 'audio', 9000)).toBeNull();
  expect(series.sizes.map(({ from }) => from)).toEqual(['sidx', null, 'side-file']);
});
