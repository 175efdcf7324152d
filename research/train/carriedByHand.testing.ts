/** What a session is made of that the training says something carried; round trips of 80 ms. */
export interface CarriedByHand {
  readonly segmentMs: number;
  readonly sizesBytes: readonly (readonly number[])[];
  readonly endMs: readonly number[];
  readonly rateKbps: readonly number[];
  readonly startMs: number;
  readonly rungs: readonly number[];
  readonly protocol: string;
  /** A segment. */
  readonly audioBytes: number;
  /** How each request for video went. */
  readonly requests: readonly (readonly [firstByteMs: number, lastByteMs: number, isNew: number])[];
}

/**
 * First and last byte of each video segment, ms after its request, and the buffer after it: with audio behind it over h2, before
 * the next one unless the player waits meanwhile; beside it over the others, half and half.
 */
export function carriedByHand(session: CarriedByHand) {
  const { segmentMs, sizesBytes, rungs, protocol } = session;
  const path = pathOf(session);
  const buffersMs: number[] = [];
  const bitsOf = (bytes: number): number => (bytes * 8) / 0.95;
  let [audioBits, bufferMs] = [0, 0];
  const requests = session.requests.map(([, , isNew], segment) => {
    const shakes = protocol === 'h3' ? 1 : 2;
    const bits = bitsOf(sizesBytes[rungs[segment]!]![segment]!);
    let firstMs = 80 * (1 + isNew * shakes);
    let besideBits = 0;
    if (protocol === 'h2') {
      firstMs += path.carry(audioBits);
      audioBits = bitsOf(session.audioBytes);
    } else {
      audioBits += bitsOf(session.audioBytes);
      besideBits = Math.min(audioBits, bits);
      audioBits -= besideBits;
    }
    const lastMs = firstMs + path.carry(bits + besideBits);
    const filledMs = Math.max(0, bufferMs - lastMs) + segmentMs;
    const waitMs = Math.max(0, Math.ceil((filledMs - 60_000) / 500) * 500);
    audioBits = Math.max(0, audioBits - path.pass(waitMs));
    bufferMs = filledMs - waitMs;
    buffersMs.push(bufferMs);
    return [firstMs, lastMs];
  });
  return { requests, buffersMs };
}

/** Walks along a trace: how long bits take, and how many a time brings. */
function pathOf({ endMs, rateKbps, startMs }: CarriedByHand) {
  let atMs = startMs;
  let piece = endMs.findIndex((each) => each > startMs);
  const walk = (enough: (restMs: number, kbps: number) => number | null): void => {
    for (;;) {
      const restMs = endMs[piece]! - atMs;
      const goneMs = enough(restMs, rateKbps[piece]!);
      if (goneMs !== null) return void (atMs += goneMs);
      atMs = piece === endMs.length - 1 ? 0 : endMs[piece]!;
      piece = (piece + 1) % endMs.length;
    }
  };
  return {
    carry(bits: number): number {
      let [leftBits, tookMs] = [bits, 0];
      if (bits === 0) return 0;
      walk((restMs, kbps) => {
        const neededMs = kbps * restMs >= leftBits && kbps > 0 ? leftBits / kbps : null;
        tookMs += neededMs ?? restMs;
        leftBits -= kbps * restMs;
        return neededMs;
      });
      return tookMs;
    },
    pass(spanMs: number): number {
      let [leftMs, bits] = [spanMs, 0];
      walk((restMs, kbps) => {
        const goneMs = leftMs < restMs ? leftMs : null;
        bits += kbps * (goneMs ?? restMs);
        leftMs -= restMs;
        return goneMs;
      });
      return bits;
    },
  };
}
