import type { RateTrace } from './rateTrace.ts';
import { TextFault, type Place } from './textFault.ts';

/** A piece as a file tells it. */
export interface Piece {
  readonly endMs: number;
  readonly rateKbps: number;
  readonly rttMs: number | null;
  /** Where the file says when it ends. */
  readonly place: Place;
}

/**
 * A trace of pieces, with what every format must hold checked: time rises, something is carried.
 * @throws TextFault
 */
export function traceOf(
  pieces: readonly Piece[],
  { name, startMs }: { name: string; startMs: number },
): RateTrace {
  if (pieces.length === 0) throw new TextFault('It holds no piece of a trace.');
  let beforeMs = startMs;
  for (const { endMs, place } of pieces) {
    if (!(endMs > beforeMs))
      throw new TextFault(
        `Time goes from ${secondsOf(beforeMs)} to ${secondsOf(endMs)}; it must rise.`,
        place,
      );
    beforeMs = endMs;
  }
  if (pieces.every(({ rateKbps }) => rateKbps === 0))
    throw new TextFault('Every rate is 0: nothing would ever arrive.');
  return {
    name,
    endMs: Float64Array.from(pieces, ({ endMs }) => endMs),
    rateKbps: Float64Array.from(pieces, ({ rateKbps }) => rateKbps),
    rttMs: rttOf(pieces),
    startMs,
  };
}

/** Known for all pieces or for none: a file that tells it only here and there tells nothing about the rest. */
function rttOf(pieces: readonly Piece[]): Float64Array | null {
  const known = pieces.map(({ rttMs }) => rttMs).filter((rttMs) => rttMs !== null);
  return known.length === pieces.length ? Float64Array.from(known) : null;
}

const secondsOf = (ms: number): string => `${Number((ms / 1000).toFixed(6))} s`;
