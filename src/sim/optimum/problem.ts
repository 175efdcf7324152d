import type { RateTrace } from '../../network/rateTrace.ts';
import type { QoeModel } from '../../shared/qoe.ts';
import { CHUNK_RULES } from '../chunk/chunkWorld.ts';
import type { Content } from '../content.ts';
import { Link } from './link.ts';

/**
 * What the search works on: the chunk model, written with deadlines instead of buffer levels.
 *
 * The trace's clock plus the buffer is the moment at which playback would run dry, if latency cost nothing. As a request's
 * 80 ms take from the buffer but do not move the clock, that moment moves with each segment by
 *
 *     one segment − 80 ms + the stall it met
 *
 * whichever rungs were chosen. So after `n` segments it is `deadlineMs(n)` + the sum of all stalls, and a state needs no
 * buffer: (last rung, clock, sum of qualities and changes, sum of stalls) is all.
 */
export interface Problem {
  readonly link: Link;
  readonly segments: number;
  readonly rungs: number;
  /** Bits on the wire, payload share included: `bits[segment * rungs + rung]`. */
  readonly bits: Float64Array;
  /** q of each rung. */
  readonly quality: Float64Array;
  /** |q − q'|: `change[rung * rungs + other]`. */
  readonly change: Float64Array;
  /** q per millisecond of stall. */
  readonly muPerMs: number;
  readonly firstRung: number;
  /** When the first segment's last byte arrives, on the trace's clock. */
  readonly firstArrivalMs: number;
  /** See above; `n` ≥ 1. */
  deadlineMs(n: number): number;
}

export function problemOf(trace: RateTrace, { video }: Content, qoe: QoeModel): Problem {
  const { ladder, segments, segmentMs, sizesBytes } = video;
  const rungs = ladder.length;
  const bitratesKbps = ladder.map(({ bitrateKbps }) => bitrateKbps);
  const quality = Float64Array.from(qoe.qualities(bitratesKbps));
  const bits = Float64Array.from(
    { length: segments * rungs },
    (_, index) => (sizesBytes[index % rungs]![Math.floor(index / rungs)]! * 8) / CHUNK_RULES.payload,
  );
  const link = new Link(trace);
  const firstRung = Math.min(CHUNK_RULES.firstRung, rungs - 1);
  const firstArrivalMs = link.msAt(link.bitsAt(trace.startMs) + bits[firstRung]!);
  return {
    link,
    segments,
    rungs,
    bits,
    quality,
    change: Float64Array.from({ length: rungs * rungs }, (_, index) =>
      Math.abs(quality[Math.floor(index / rungs)]! - quality[index % rungs]!),
    ),
    muPerMs: qoe.mu(bitratesKbps) / 1000,
    firstRung,
    firstArrivalMs,
    deadlineMs: (n) => firstArrivalMs + segmentMs + (n - 1) * (segmentMs - CHUNK_RULES.rttMs),
  };
}

/** Rungs that were played in the chunk model, the first one forced, and their QoE without the first segment's. */
export interface Policy {
  readonly rungs: readonly number[];
  readonly qoe: number;
}

/** The one with more QoE; of equal ones the first. */
export const better = (one: Policy, other: Policy): Policy => (other.qoe > one.qoe ? other : one);
