import { expect, test } from 'vitest';
import type { TransportSample } from '../../lab/origin/readTransportLog.ts';
import type { SsReading } from './ssReadings.ts';
import { againstSs } from './againstSs.ts';

const reading = (fromUnixMs: number, cwndPackets: number, retransmitted = 0): SsReading => ({
  ...{ fromUnixMs, untilUnixMs: fromUnixMs + 5, cwndPackets, mssBytes: 1000 },
  ...{ rttMs: 100, minRttMs: null, retransmitted },
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
