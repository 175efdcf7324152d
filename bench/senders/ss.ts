import type { TransportSample } from '../../lab/origin/readTransportLog.ts';

/** What `ss -tinH` (iproute2) reports of one socket, between two moments. */
export interface SsReading {
  readonly fromUnixMs: number;
  readonly untilUnixMs: number;
  readonly cwndPackets: number;
  readonly mssBytes: number;
  readonly rttMs: number;
  readonly minRttMs: number | null;
  /** Segments sent again so far. */
  readonly retransmitted: number;
}

/** Prints a moment, what ss tells, and a moment, again and again, until it is killed. A port is the server's own. */
export const ssLoop = (port: number): string =>
  `while :; do date +%s%N; ss -tinH state established '( sport = :${port} )'; date +%s%N; echo; sleep 0.02; done`;

/** Rounds with exactly one socket, oldest first; others are left out, as is the last, which may be cut off. */
export function ssReadings(text: string): SsReading[] {
  return text
    .split('\n\n')
    .slice(0, -1)
    .flatMap((round) => {
      const lines = round.split('\n').filter((line) => line.trim() !== '');
      const [from, until] = [lines[0], lines.at(-1)].map((line) => Number(line) / 1e6);
      const sockets = lines.slice(1, -1).filter((line) => /\bcwnd:/.test(line));
      if (from === undefined || until === undefined || sockets.length !== 1) return [];
      const reading = readingOf(sockets[0]!);
      return reading ? [{ fromUnixMs: from, untilUnixMs: until, ...reading }] : [];
    });
}

function readingOf(line: string): Omit<SsReading, 'fromUnixMs' | 'untilUnixMs'> | null {
  const number = (pattern: RegExp): number | null => {
    const [, digits] = pattern.exec(line) ?? [];
    return digits === undefined ? null : Number(digits);
  };
  const cwndPackets = number(/\bcwnd:(\d+)/);
  const mssBytes = number(/\bmss:(\d+)/);
  const rttMs = number(/\brtt:([\d.]+)/);
  if (cwndPackets === null || mssBytes === null || rttMs === null) return null;
  // Absent while nothing was sent again.
  const retransmitted = number(/\bretrans:\d+\/(\d+)/) ?? 0;
  return { cwndPackets, mssBytes, rttMs, minRttMs: number(/\bminrtt:([\d.]+)/), retransmitted };
}

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
