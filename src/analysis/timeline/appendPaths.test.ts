import { expect, test } from 'vitest';
import { exampleLog, exampleRequest } from '../../telemetry/exampleLog.testing.ts';
import type { TransportEvent } from '../../telemetry/event.ts';
import { protocolCode } from '../transport/protocol.ts';
import type { PathSeries } from './series.ts';
import { seriesOf } from './appendEvent.ts';

const responded = (atMs: number, connection: string, cwndBytes: number, protocol = 'h2') =>
  exampleRequest({
    id: `r${atMs}`,
    protocol,
    atMs,
    startMs: atMs,
    firstByteMs: atMs + 40,
    serverTiming: [
      { name: 'rtt', durationMs: 20, description: '' },
      { name: 'cwnd', durationMs: 0, description: String(cwndBytes) },
      { name: 'retransmitted', durationMs: 0, description: '3' },
      { name: 'connection', durationMs: 0, description: connection },
      { name: 'controller', durationMs: 0, description: 'cubic' },
    ],
  });

const sampled = (connectionId: string, windows: readonly number[]): TransportEvent => ({
  kind: 'transport',
  id: `t${connectionId}`,
  atMs: 50,
  requestId: null,
  source: 'origin',
  races: [],
  connectionId,
  missing: { requestId: 'not-applicable' },
  origin: {
    protocol: 'h2',
    controller: 'cubic',
    openedMs: 50,
    closedMs: null,
    requestIds: [],
    samples: windows.map((cwndBytes, index) => ({
      atMs: 50 + 100 * index,
      rttMs: 20 + index,
      minRttMs: 20,
      rttVarMs: 1,
      cwndBytes,
      inFlightBytes: 0,
      lostPackets: null,
      retransmittedPackets: index,
      sentPackets: 10,
      deliveryRateKbps: null,
      appLimited: null,
    })),
  },
});

const pathsOf = (extra: Parameters<typeof exampleLog>[0] & object) =>
  seriesOf(exampleLog({ segments: 0, ...extra })).paths;
const column = ({ table }: PathSeries, name: keyof PathSeries['table']['columns']): number[] => [
  ...table.columns[name].subarray(0, table.length),
];

test('each connection is a path of its own, at the moments when its responses came', () => {
  const paths = pathsOf({
    extra: [responded(100, '1', 14_480), responded(200, '2', 20_000), responded(300, '1', 28_960)],
  });
  expect(paths.map(({ connection, teller }) => [connection, teller])).toEqual([
    ['1', 'Server-Timing, cubic'],
    ['2', 'Server-Timing, cubic'],
  ]);
  expect(column(paths[0]!, 'atMs')).toEqual([140, 340]);
  expect(column(paths[0]!, 'cwndBytes')).toEqual([14_480, 28_960]);
  expect(column(paths[0]!, 'lostPackets')).toEqual([3, 3]);
});

test('the same number on another protocol is another connection', () =>
  expect(
    pathsOf({ extra: [responded(100, '1', 14_480), responded(200, '1', 12_000, 'h3')] }).map(
      ({ protocol }) => protocol,
    ),
  ).toEqual([protocolCode('h2'), protocolCode('h3')]));

test('what the origin wrote down of a connection replaces what its responses said, also of later ones', () => {
  const extra = [responded(10, '1', 1), sampled('1', [10_000, 20_000, 30_000]), responded(300, '1', 2)];
  const [path, ...others] = pathsOf({ extra });
  expect(others).toEqual([]);
  expect(path).toMatchObject({ sampled: true, teller: 'origin’s log, cubic' });
  expect(column(path!, 'cwndBytes')).toEqual([10_000, 20_000, 30_000]);
  expect(column(path!, 'lostPackets')).toEqual([0, 1, 2]);
});

test('a server with a connection for each of 5000 requests does not make 5000 tables', () => {
  const extra = Array.from({ length: 5000 }, (_, index) => responded(index * 10, String(index), 10_000));
  const paths = pathsOf({ extra });
  expect(paths.length).toBeLessThanOrEqual(257);
  expect(paths.reduce((sum, { table }) => sum + table.length, 0)).toBe(5000);
  // Their counts of losses do not go on from one another.
  expect(new Set(column(paths.at(-1)!, 'lostPackets'))).toEqual(new Set([NaN]));
});

test('where no server reports anything there is no path', () =>
  expect(pathsOf({ extra: [exampleRequest()] })).toEqual([]));
