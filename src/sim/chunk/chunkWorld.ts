import type { RateTrace } from '../../network/rateTrace.ts';
import type { Content, Track } from '../content.ts';

/**
 * Pensieve's environment for tests, to the letter (fixed_env.py): segments one after the other over a rate trace.
 *
 *     request ── 80 ms + walk along the trace ── last byte ── sleep while the buffer is above its cap ── request
 *
 * Mutable, because a session is 48 steps of half a microsecond: `step` fetches the next segment, the fields tell
 * what became of it.
 */
export interface ChunkWorld {
  /** The segment that `step` fetches next, 0-based. */
  readonly segment: number;
  readonly done: boolean;
  /** Content at hand at the moment of the next request, after the sleep, ms. 0 before the first. */
  readonly bufferMs: number;
  /** Time of the last step from the request to the last byte, ms. */
  readonly delayMs: number;
  /** How long playback stood still in the last step; for the first segment the whole of `delayMs`. */
  readonly stallMs: number;
  /** Wait after the last step, until the buffer is within its cap. Playback goes on. */
  readonly sleepMs: number;
  /** Size of the segment that the last step fetched. */
  readonly sizeBytes: number;
  /** Throws on a rung that is not in the ladder, and after the last segment. */
  step(rung: number): void;
}

export const createChunkWorld = (trace: RateTrace, content: Content): ChunkWorld => new World(trace, content);

/** A class, because its instances share one hidden shape: twice as fast as closures over the same variables. */
class World implements ChunkWorld {
  segment = 0;
  done = false;
  bufferMs = 0;
  delayMs = 0;
  stallMs = 0;
  sleepMs = 0;
  sizeBytes = 0;
  readonly #track: Track;
  readonly #endMs: Float64Array;
  readonly #rateKbps: Float64Array;
  /** Place in the trace: ms since its zero, and the piece that this lies in. */
  #atMs: number;
  #piece = 0;

  constructor(trace: RateTrace, { video }: Content) {
    this.#track = video;
    this.#endMs = trace.endMs;
    this.#rateKbps = trace.rateKbps;
    this.#atMs = trace.startMs;
    this.#leaveFinishedPieces();
  }

  step(rung: number): void {
    const sizeBytes = this.done ? undefined : this.#track.sizesBytes[rung]?.[this.segment];
    if (sizeBytes === undefined) throw new Error(`No segment ${this.segment} at rung ${rung}.`);
    const delayMs = this.#transfer((sizeBytes * 8) / CHUNK_RULES.payload) + CHUNK_RULES.rttMs;
    const leftMs = this.bufferMs - delayMs;
    const filledMs = (leftMs > 0 ? leftMs : 0) + this.#track.segmentMs;
    this.stallMs = leftMs < 0 ? -leftMs : 0;
    this.sleepMs = sleepFor(filledMs);
    if (this.sleepMs > 0) this.#pass(this.sleepMs);
    this.bufferMs = filledMs - this.sleepMs;
    this.delayMs = delayMs;
    this.sizeBytes = sizeBytes;
    this.segment += 1;
    this.done = this.segment >= this.#track.segments;
  }

  /** Walks the trace until this many bits have come through; kbit/s times ms is bits. Returns the time taken, ms. */
  #transfer(bits: number): number {
    const endMs = this.#endMs;
    const rateKbps = this.#rateKbps;
    let piece = this.#piece;
    let atMs = this.#atMs;
    let takenMs = 0;
    for (;;) {
      const rate = rateKbps[piece]!;
      const restMs = endMs[piece]! - atMs;
      const restBits = rate * restMs;
      if (restBits >= bits && rate > 0) {
        const neededMs = bits / rate;
        this.#atMs = atMs + neededMs;
        this.#piece = piece;
        return takenMs + neededMs;
      }
      bits -= restBits;
      takenMs += restMs;
      atMs = endMs[piece]!;
      if (++piece === endMs.length) piece = atMs = 0;
    }
  }

  #pass(ms: number): void {
    this.#atMs += ms;
    this.#leaveFinishedPieces();
  }

  #leaveFinishedPieces(): void {
    const endMs = this.#endMs;
    while (this.#atMs >= endMs[this.#piece]!) {
      if (++this.#piece < endMs.length) continue;
      this.#atMs -= endMs[this.#piece - 1]!;
      this.#piece = 0;
    }
  }
}

function sleepFor(bufferMs: number): number {
  const { bufferCapMs, drainStepMs } = CHUNK_RULES;
  const excessMs = bufferMs - bufferCapMs;
  return excessMs > 0 ? Math.ceil(excessMs / drainStepMs) * drainStepMs : 0;
}

/** The numbers of Pensieve's public test environment (fixed_env.py), which every published "0.9xx" rests on. */
export const CHUNK_RULES = {
  /** Share of the trace's rate that is payload (PACKET_PAYLOAD_PORTION). */
  payload: 0.95,
  /** Added to each download; the trace's clock does not run meanwhile (LINK_RTT). */
  rttMs: 80,
  /** Above this the next request waits (BUFFER_THRESH). */
  bufferCapMs: 60_000,
  /** Such a wait is a whole number of these (DRAIN_BUFFER_SLEEP_TIME). */
  drainStepMs: 500,
  /** The first segment's rung, asked of nobody (DEFAULT_QUALITY); on a shorter ladder the highest. */
  firstRung: 1,
} as const;
