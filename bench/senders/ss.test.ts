import { expect, test } from 'vitest';
import { ssReadings, type SsReading, againstSs } from './ss.ts';
import type { TransportSample } from '../../lab/origin/readTransportLog.ts';

const socket = (cwnd: number, more = ''): string =>
  `0 0 203.0.113.1:8443 198.51.100.1:40000 \n\t cubic wscale:7,7 rto:304 rtt:103.25/1.5 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:${cwnd} ssthresh:14 bytes_retrans:1448${more} minrtt:100.5`;
const round = (from: number, ...sockets: string[]): string =>
  [`${from}000000`, ...sockets, `${from + 5}000000`, '', ''].join('\n');

test('reads rounds with one socket', () =>
  expect(ssReadings(`${round(1000, socket(20))}${round(1030, socket(21, ' retrans:1/12'))}1060`)).toEqual([
    {
      fromUnixMs: 1000,
      untilUnixMs: 1005,
      cwndPackets: 20,
      mssBytes: 1448,
      rttMs: 103.25,
      minRttMs: 100.5,
      retransmitted: 0,
    },
    {
      fromUnixMs: 1030,
      untilUnixMs: 1035,
      cwndPackets: 21,
      mssBytes: 1448,
      rttMs: 103.25,
      minRttMs: 100.5,
      retransmitted: 12,
    },
  ]));

test('leaves out rounds with none or several, and one that was cut off', () =>
  expect(
    ssReadings(`${round(1)}${round(2, socket(1), socket(2))}${round(3, socket(3)).slice(0, -2)}`),
  ).toEqual([]));

const reading = (fromUnixMs: number, cwndPackets: number, retransmitted = 0): SsReading => ({
  fromUnixMs,
  untilUnixMs: fromUnixMs + 5,
  cwndPackets,
  mssBytes: 1000,
  rttMs: 100,
  minRttMs: null,
  retransmitted,
});
const sample = (atUnixMs: number, cwndBytes: number, retransmittedPackets = 0) =>
  ({ atUnixMs, cwndBytes, retransmittedPackets, rttMs: 110 }) as TransportSample;

test('compares where both readings around a sample agree', () => {
  const readings = [reading(0, 10), reading(30, 10), reading(60, 12, 3), reading(300, 12, 3)];
  const samples = [sample(20, 10_000), sample(25, 9000), sample(50, 11_000, 2), sample(200, 12_000, 3)];
  const { rttOff, ...counts } = againstSs(samples, readings);
  // The last one lies in a gap.
  expect(counts).toEqual({ comparable: 2, sameCwnd: 1, bracketed: 3, retransmittedBetween: 3 });
  expect(rttOff).toHaveLength(3);
  expect(rttOff[0]).toBeCloseTo(0.1);
});

test('a count that went back is seen', () =>
  expect(againstSs([sample(20, 1, 0)], [reading(0, 1, 4), reading(30, 1, 5)])).toMatchObject({
    bracketed: 1,
    retransmittedBetween: 0,
  }));
