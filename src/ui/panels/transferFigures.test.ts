import { expect, test } from 'vitest';
import { exampleSession, request } from '../../analysis/timeline/example.testing.ts';
import { seriesOf } from '../../analysis/timeline/appendEvent.ts';
import { byteBins, bytesIn } from '../../analysis/transport/overTime.ts';
import { CHARTS } from '../../charts/registry.ts';
import type { RequestEvent } from '../../telemetry/event.ts';
import type { SessionLog } from '../../telemetry/schema/sessionLog.ts';
import { formatTransferFigures } from './transferFigures.ts';

interface Place {
  readonly stream?: number;
  readonly object?: number;
  readonly part?: number;
  readonly parts?: number;
}

const download = (atMs: number, place: Place, changes: Partial<RequestEvent> = {}): RequestEvent =>
  request(atMs, {
    type: 'probe',
    mediaType: null,
    segment: null,
    rung: null,
    bitrateKbps: null,
    startMs: atMs,
    firstByteMs: atMs + 100,
    lastByteMs: atMs + 1100,
    endMs: atMs + 1100,
    receivedBytes: 1e6,
    protocol: 'h2',
    outcome: 'ok',
    transfer: { stream: 0, object: 0, sizeBytes: 1e6, part: 0, parts: 1, ...place },
    ...changes,
  });
const transferOf = (events: readonly RequestEvent[]): SessionLog => {
  const log = exampleSession(events);
  return { ...log, environment: { ...log.environment, transfer: 'streams:mb=1:count=2' } };
};
const TWO = transferOf([
  download(0, {}),
  download(10, { stream: 1 }, { firstByteMs: 510, lastByteMs: 2010, endMs: 2010 }),
  download(3000, { object: 1 }),
]);
const ONE = transferOf([download(0, { parts: 2 }), download(5, { part: 1, parts: 2 })]);

const lane = (id: string) => CHARTS.find((chart) => chart.id === id)!;
const VIEW = { fromMs: 0, toMs: 5000, nowMs: 5000, maxPoints: 900, narrow: false };
const labels = (log: SessionLog, id: string) =>
  lane(id)
    .readout(seriesOf(log), 5000)
    .map(({ label, value }) => `${label} ${value}`);

test('figures of a transfer are means over what has arrived whole', () => {
  const failed = download(4000, { object: 2 }, { outcome: 'network-error', lastByteMs: null, endMs: 4500 });
  const log = transferOf([...(TWO.events as RequestEvent[]), failed]);
  expect(
    formatTransferFigures(seriesOf(log)).map(({ label, value, unit, sub }) => [label, value, unit, sub]),
  ).toEqual([
    ['Rate', '7.11', 'Mbit/s', 'mean, first to last byte'],
    ['Downloads', '3', '', '3.0 MB'],
    ['First byte', '233', 'ms', 'mean, from the request'],
    ['Download time', '1.40', 's', 'mean, request to last byte'],
    ['Slowest', '2.00', 's', 'of 3 downloads'],
  ]);
});

test('before anything has arrived they say so', () => {
  const subs = formatTransferFigures(seriesOf(transferOf([]))).map(({ value, sub }) => [value, sub]);
  expect(subs.map(([value]) => value)).toEqual([null, '0', null, null, null]);
  expect(new Set(subs.map(([, sub]) => sub))).toEqual(new Set(['nothing has arrived yet']));
});

test('lanes of a player take no space, and bytes of files count by protocol', () => {
  const series = seriesOf(TWO);
  const shown = CHARTS.filter((chart) => chart.hasData?.(series) !== false).map(({ id }) => id);
  expect(shown).toEqual(['racing', 'requests', 'latency']);
  const bins = byteBins(series, { fromMs: 0, toMs: 5000, binMs: 5000 });
  expect(bytesIn(bins, 0).h2).toBeCloseTo(3e6, -1);
});

test('requests and latency name streams, or files where there is one stream', () => {
  const ticks = (log: SessionLog) =>
    lane('requests')
      .build(seriesOf(log), VIEW)
      .left.ticks.flatMap(({ label }) => (label === '' ? [] : [label]));
  expect(ticks(TWO)).toEqual(['stream 1', 'stream 2', 'other']);
  expect(ticks(ONE)).toEqual(['files', 'other']);
  expect(labels(TWO, 'latency')).toEqual(['stream 1 100', 'stream 2 500']);
  expect(labels(ONE, 'latency')).toEqual(['files 100']);
});

test('a download is named by its stream and its turn, each range on a row of its own', () => {
  const said = (log: SessionLog) => {
    const { rows } = lane('requests').table(seriesOf(log), { ...VIEW, maxRows: 9 });
    return rows.map((row) => row[1]).filter((name) => name !== 'other');
  };
  expect(said(TWO)).toEqual(['stream 1', 'stream 2', 'stream 1']);
  const [spans] = lane('requests').build(seriesOf(ONE), VIEW).marks;
  // With the manifest of the example.
  expect(new Set(spans!.kind === 'spans' ? Array.from(spans!.ys) : []).size).toBe(1 + 2);
});
