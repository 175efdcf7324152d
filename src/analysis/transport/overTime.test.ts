import { describe, expect, test } from 'vitest';
import { exampleRequest } from '../../telemetry/exampleLog.testing.ts';
import type { RequestEvent } from '../../telemetry/event.ts';
import { VIDEO } from '../timeline/columns.ts';
import { protocolOf, tcpClassOf, tcpShareOf } from './protocol.ts';
import { byteBins, bytesIn, protocolSwitches, tcpShares } from './overTime.ts';
import { createSeries } from '../timeline/series.ts';
import { appendEvent } from '../timeline/appendEvent.ts';

/** A request whose bytes flowed from `fromMs` to `toMs`. */
const flow = (
  protocol: string | null,
  [fromMs, toMs]: [number, number],
  changes: Partial<RequestEvent> = {},
) =>
  exampleRequest({
    protocol,
    atMs: fromMs,
    startMs: fromMs,
    firstByteMs: fromMs,
    lastByteMs: toMs,
    endMs: toMs,
    receivedBytes: 1000,
    ...changes,
  });
function seriesWith(...events: RequestEvent[]) {
  const series = createSeries();
  for (const event of events) appendEvent(series, event);
  return series;
}
const windows = (...events: RequestEvent[]) =>
  byteBins(seriesWith(...events), { fromMs: 0, toMs: 90_000, binMs: 30_000 });

describe('TCP share per 30 s window', () => {
  test.each([
    ['h3 only', [flow('h3', [1000, 2000])], [0, NaN, NaN]],
    [
      'h2 beside twice as much h3',
      [flow('h2', [0, 9]), flow('h3', [10, 19]), flow('h3', [20, 29])],
      [1 / 3, NaN, NaN],
    ],
    ['http/1.1 is TCP too', [flow('http/1.1', [31_000, 32_000])], [NaN, 1, NaN]],
    [
      'a request across a border counts in both windows',
      [flow('h2', [25_000, 35_000]), flow('h3', [40_000, 50_000])],
      [1, 1 / 3, NaN],
    ],
    ['unknown bytes are no part of it', [flow(null, [0, 9]), flow('h3', [10, 20])], [0, NaN, NaN]],
    ['a manifest is no media', [flow('h2', [0, 9], { type: 'manifest' })], [NaN, NaN, NaN]],
    [
      'what a failed request had delivered counts',
      [flow('h2', [0, 9], { outcome: 'network-error' })],
      [1, NaN, NaN],
    ],
  ])('%s', (_name, events, shares) => {
    const found = [...tcpShares(windows(...events))];
    shares.forEach((share, index) =>
      Number.isNaN(share) ? expect(found[index]).toBeNaN() : expect(found[index]).toBeCloseTo(share, 9),
    );
  });
  test('no byte is lost or made up, however the windows cut', () => {
    const series = seriesWith(flow('h3', [1, 88_000]), flow('h2', [29_999, 30_001]), flow('h3', [500, 500]));
    for (const binMs of [777, 5000, 30_000, 90_000]) {
      const bins = byteBins(series, { fromMs: 0, toMs: 90_000, binMs });
      const total = bins.bytes.reduce((sum, column) => sum + column.reduce((a, b) => a + b, 0), 0);
      expect(total).toBeCloseTo(3000, 5);
    }
  });
  test('a window of its own bytes by protocol', () =>
    expect(bytesIn(windows(flow('h2', [0, 9])), 0)).toEqual({ h1: 0, h2: 1000, h3: 0, unknown: 0 }));
});

test.each([
  [0, 'low'],
  [0.2999, 'low'],
  [0.3, 'medium'],
  [0.5999, 'medium'],
  [0.6, 'high'],
  [1, 'high'],
] as const)('a TCP share of %d is %s', (share, name) => expect(tcpClassOf(share)).toBe(name));

test('no known byte, no share', () => {
  expect(tcpShareOf({ h1: 0, h2: 0, h3: 0, unknown: 9 })).toBeNull();
  expect(tcpShareOf({ h1: 1, h2: 1, h3: 2, unknown: 9 })).toBe(0.5);
});

test.each([
  ['h3', 'h3'],
  ['h3-29', 'h3'],
  ['hq-29', 'h3'],
  ['h2', 'h2'],
  ['h2c', 'h2'],
  ['http/1.1', 'h1'],
  ['http/1.0', 'h1'],
  ['', 'unknown'],
  ['h34', 'unknown'],
  [null, 'unknown'],
] as const)('ALPN id %s is %s', (alpn, protocol) => expect(protocolOf(alpn)).toBe(protocol));

describe('protocol switches', () => {
  const view = { fromMs: 0, toMs: 90_000, lane: VIDEO };
  test('where the protocol of successive finished requests changes', () => {
    const series = seriesWith(
      flow('h2', [0, 10]),
      flow('h3', [20, 30]),
      flow('h3', [40, 50]),
      flow('h2', [60, 70]),
    );
    expect(protocolSwitches(series, view)).toEqual([
      { atMs: 20, from: 'h2', to: 'h3' },
      { atMs: 60, from: 'h3', to: 'h2' },
    ]);
    expect(protocolSwitches(series, { ...view, fromMs: 30 })).toHaveLength(1);
  });
  test('unknown, failed and audio requests in between make none', () => {
    const audio = flow('h2', [12, 13], { mediaType: 'audio' });
    const failed = flow('h2', [14, 15], { outcome: 'network-error' });
    expect(
      protocolSwitches(
        seriesWith(flow('h3', [0, 10]), audio, failed, flow(null, [16, 17]), flow('h3', [20, 30])),
        view,
      ),
    ).toEqual([]);
  });
});
