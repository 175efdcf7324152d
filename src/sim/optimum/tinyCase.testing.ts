import type { RateTrace } from '../../network/rateTrace.ts';
import type { Content } from '../content.ts';

/** Numbers in [0, 1) that are the same each time: Lehmer's generator (Park and Miller, CACM 1988). */
function lehmer(seed: number): () => number {
  let state = seed * 48_271 + 1;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

export interface TinyCase {
  readonly trace: RateTrace;
  readonly content: Content;
}

/** A tiny video over a short trace with outages: it wraps, stalls, and with long segments it sleeps at the cap. */
export function tinyCase(seed: number): TinyCase {
  const random = lehmer(seed);
  const between = (min: number, max: number): number => min + random() * (max - min);
  const rungs = 2 + Math.floor(random() * 2);
  const segments = 4 + Math.floor(random() * 3);
  const segmentMs = [2000, 4000, 20_000, 30_000][Math.floor(random() * 4)]!;
  const ladder = Array.from({ length: rungs }, (_, rung) => ({
    bitrateKbps: Math.round(300 * 1.9 ** rung * between(1, 1.4)),
    width: null,
    height: null,
  }));
  const sizesBytes = ladder.map(({ bitrateKbps }) =>
    Array.from({ length: segments }, () => Math.ceil(((bitrateKbps * segmentMs) / 8) * between(0.6, 1.5))),
  );
  const max = random() < 0.4 ? 20_000 : 4000;
  let endMs = 0;
  const pieces = Array.from({ length: 3 + Math.floor(random() * 10) }, () => {
    endMs += between(300, segmentMs);
    return { endMs, rateKbps: random() < 0.2 ? 0 : between(100, max) };
  });
  pieces[0]!.rateKbps = 900;
  return {
    trace: {
      name: `seed ${seed}`,
      endMs: Float64Array.from(pieces, (piece) => piece.endMs),
      rateKbps: Float64Array.from(pieces, (piece) => piece.rateKbps),
      rttMs: null,
      startMs: random() < 0.5 ? 0 : between(0, pieces[0]!.endMs * 0.9),
    },
    content: {
      name: 'tiny',
      video: { ladder, segmentMs, segments, sizesBytes, initBytes: null },
      audio: null,
    },
  };
}

/** So many cases make a test. */
export const CASES = 300;

/** All sequences of rungs that begin with the forced one. */
export function sequencesOf({ video }: Content): number[][] {
  const rungs = video.ladder.map((_, rung) => rung);
  let sequences = [[Math.min(1, rungs.length - 1)]];
  for (let segment = 1; segment < video.segments; segment += 1)
    sequences = sequences.flatMap((sequence) => rungs.map((rung) => [...sequence, rung]));
  return sequences;
}
