import type { TransportSample } from '../../lab/origin/readTransportLog.ts';
import type { SsReading } from './ssReadings.ts';

/** How far the origin's log and ss agree about one TCP connection. */
export interface Agreement {
  /** Samples between two readings that tell the same window: then the sample has no choice. */
  readonly comparable: number;
  readonly sameCwnd: number;
  /** Samples between any two readings; retransmissions only grow, so the sample must lie between. */
  readonly bracketed: number;
  readonly retransmittedBetween: number;
  /** |reported − nearest reading| / reading of the smoothed round trip, one for each bracketed sample. */
  readonly rttOff: readonly number[];
}

/** Two readings further apart than this say little about a moment between them. */
const NEAR_MS = 100;

export function againstSs(samples: readonly TransportSample[], readings: readonly SsReading[]): Agreement {
  const pairs = samples.flatMap((sample) => {
    const before = readings.findLast(({ untilUnixMs }) => untilUnixMs <= sample.atUnixMs);
    const after = readings.find(({ fromUnixMs }) => fromUnixMs >= sample.atUnixMs);
    const isNear = before && after && after.fromUnixMs - before.untilUnixMs <= NEAR_MS;
    return isNear && sample.cwndBytes !== null ? [{ sample, before, after }] : [];
  });
  const settled = pairs.filter(({ before, after }) => cwndBytes(before) === cwndBytes(after));
  return {
    comparable: settled.length,
    sameCwnd: settled.filter(({ sample, before }) => sample.cwndBytes === cwndBytes(before)).length,
    bracketed: pairs.length,
    retransmittedBetween: pairs.filter(({ sample, before, after }) => {
      const reported = sample.retransmittedPackets;
      return reported !== null && reported >= before.retransmitted && reported <= after.retransmitted;
    }).length,
    rttOff: pairs.flatMap(({ sample, before, after }) => {
      if (sample.rttMs === null) return [];
      const off = ({ rttMs }: SsReading): number => Math.abs((sample.rttMs ?? 0) - rttMs) / rttMs;
      return [Math.min(off(before), off(after))];
    }),
  };
}

const cwndBytes = ({ cwndPackets, mssBytes }: SsReading): number => cwndPackets * mssBytes;
