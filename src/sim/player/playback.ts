import type { Content, Track } from '../content.ts';
import type { MediaType } from '../../abr/rule.ts';
import { isStall } from '../../shared/stalls.ts';

/** What happens on the screen, for whoever has to know. */
export interface Viewer {
  playing(atMs: number, playheadMs: number): void;
  waiting(atMs: number, playheadMs: number): void;
  /** A video segment came on screen. */
  shown(atMs: number, rung: number): void;
  /** `durationMs` is null when the session ended first. */
  stalled(stall: { atMs: number; durationMs: number; playheadMs: number }): void;
  /** `waitMs` is null when the next seek came first. */
  sought(seek: { atMs: number; fromMs: number; toMs: number; waitMs: number | null }): void;
  ended(atMs: number, playheadMs: number): void;
  /** The session was cut off. */
  stopped(atMs: number, playheadMs: number): void;
}

/** A video segment that was on screen, and how long playback stood still for it, ms. */
interface Shown {
  readonly rung: number;
  waitMs: number;
}

interface Wait {
  readonly kind: 'join' | 'stall' | 'seek';
  readonly atMs: number;
  readonly fromMs: number;
}

/** 1 µs of content: sums of milliseconds miss the end of a segment by less. */
const ROUNDING_MS = 1e-3;

/**
 * The media element: the playhead, and whether it moves.
 *
 *     join ── all tracks have content ──▶ playing ── a track runs dry ──▶ stall ── content ──▶ playing … ended
 *                                            └────── seek ── content ──▶ playing
 */
export class Playback {
  playheadMs = 0;
  hasEnded = false;
  stalls = 0;
  /** In the order of play. The first one's wait is the join time; waits of seeks are nobody's. */
  readonly shown: Shown[] = [];
  readonly #buffers: Buffers;
  readonly #viewer: Viewer;
  readonly #segmentMs: number;
  readonly #durationMs: number;
  #nowMs = 0;
  #onScreen: number | null = null;
  /** What playback stands still for; null while it moves. */
  #wait: Wait | null;
  /** When the first frame came; null before. */
  startedMs: number | null = null;

  constructor(
    { video }: Content,
    buffers: Buffers,
    { viewer, playAtMs }: { viewer: Viewer; playAtMs: number },
  ) {
    this.#buffers = buffers;
    this.#viewer = viewer;
    this.#wait = { kind: 'join', atMs: playAtMs, fromMs: 0 };
    this.#segmentMs = video.segmentMs;
    this.#durationMs = video.segments * video.segmentMs;
  }

  get hasStarted(): boolean {
    return this.shown.length > 0;
  }

  get isMoving(): boolean {
    return this.#wait === null && !this.hasEnded;
  }

  advanceTo(atMs: number): void {
    if (this.isMoving) this.playheadMs += atMs - this.#nowMs;
    this.#nowMs = atMs;
  }

  /** When it must be looked at again: content runs out, or the next segment comes on screen. */
  nextMs(): number {
    if (!this.isMoving) return Infinity;
    const nextShownMs = ((this.#onScreen ?? 0) + 1) * this.#segmentMs;
    return this.#nowMs + Math.min(nextShownMs, this.#buffers.playableUntilMs()) - this.playheadMs;
  }

  /** Starts, stops or ends as the buffers allow now. */
  settle(): void {
    const leftMs = this.#buffers.playableUntilMs() - this.playheadMs;
    if (this.hasEnded) return;
    if (this.playheadMs + ROUNDING_MS >= this.#durationMs) this.#end();
    else if (leftMs > ROUNDING_MS) this.#play();
    else if (!this.#wait) this.#stop();
  }

  /** Jumps; `settle` then says whether there is something to play. */
  jump(toMs: number): void {
    if (this.#wait) this.#close(this.#wait, false);
    this.#wait = { kind: 'seek', atMs: this.#nowMs, fromMs: this.playheadMs };
    this.playheadMs = toMs;
    this.#onScreen = null;
  }

  /** The viewer leaves, or has seen everything; a stall ends with that, as in the page's player. */
  stop(): void {
    if (this.hasEnded) return;
    if (this.#wait) this.#close(this.#wait, false);
    this.hasEnded = true;
    this.#viewer.stopped(this.#nowMs, this.playheadMs);
  }

  #play(): void {
    const wait = this.#wait;
    this.#wait = null;
    this.startedMs ??= this.#nowMs;
    if (wait) this.#viewer.playing(this.#nowMs, this.playheadMs);
    this.#show();
    if (wait) this.#close(wait, true);
  }

  #show(): void {
    const segment = Math.floor((this.playheadMs + ROUNDING_MS) / this.#segmentMs);
    if (segment === this.#onScreen) return;
    const rung = this.#buffers.rungOf(segment);
    this.#onScreen = segment;
    this.shown.push({ rung, waitMs: 0 });
    this.#viewer.shown(this.#nowMs, rung);
  }

  #stop(): void {
    this.playheadMs = this.#buffers.playableUntilMs();
    this.#wait = { kind: 'stall', atMs: this.#nowMs, fromMs: this.playheadMs };
    this.#viewer.waiting(this.#nowMs, this.playheadMs);
  }

  #close(wait: Wait, plays: boolean): void {
    const { kind, atMs, fromMs } = wait;
    const durationMs = this.#nowMs - atMs;
    const toMs = this.playheadMs;
    if (kind === 'seek') this.#viewer.sought({ atMs, fromMs, toMs, waitMs: plays ? durationMs : null });
    const last = this.shown.at(-1);
    // A session that ends before its first frame has shown nothing that waited.
    if (kind === 'join' && last) last.waitMs += durationMs;
    if (kind !== 'stall') return;
    // It belongs to the segment that came on screen after it, or else to the last one.
    last!.waitMs += durationMs;
    if (isStall(durationMs)) this.stalls += 1;
    this.#viewer.stalled({ atMs, durationMs, playheadMs: fromMs });
  }

  #end(): void {
    this.hasEnded = true;
    this.playheadMs = this.#durationMs;
    this.#viewer.ended(this.#nowMs, this.playheadMs);
  }
}

/** What is loaded of each track: one stretch, up to an end. What lies behind the playhead is never played again. */
interface Buffers {
  /** Content ahead of the playhead, ms. */
  levelMs(mediaType: MediaType, playheadMs: number): number;
  append(mediaType: MediaType, segment: number, rung: number): void;
  /** Rung of a loaded video segment. */
  rungOf(segment: number): number;
  /** Where playback comes to a stand: the end of what all tracks have. A track that is whole ends nothing. */
  playableUntilMs(): number;
  /** A jump of the playhead: whether a track has what is there. Else its stretch is dropped. */
  jump(mediaType: MediaType, fromMs: number, toMs: number): boolean;
}

export function createBuffers({ video, audio }: Content): Buffers {
  const ends: Record<MediaType, number> = { video: 0, audio: audio ? 0 : Infinity };
  const lengths: Record<MediaType, number> = { video: lengthOf(video), audio: audio ? lengthOf(audio) : 0 };
  const segmentMs: Record<MediaType, number> = { video: video.segmentMs, audio: audio?.segmentMs ?? 0 };
  const rungs = new Map<number, number>();
  return {
    levelMs: (mediaType, playheadMs) => Math.max(0, ends[mediaType] - playheadMs),
    append(mediaType, segment, rung) {
      ends[mediaType] = (segment + 1) * segmentMs[mediaType];
      if (mediaType === 'video') rungs.set(segment, rung);
    },
    rungOf: (segment) => rungs.get(segment)!,
    playableUntilMs: () => Math.min(ends.video, ends.audio >= lengths.audio ? Infinity : ends.audio),
    jump(mediaType, fromMs, toMs) {
      const past = toMs >= lengths[mediaType];
      if (past || (toMs >= fromMs && toMs < ends[mediaType])) return true;
      ends[mediaType] = 0;
      return false;
    },
  };
}

const lengthOf = ({ segments, segmentMs }: Track): number => segments * segmentMs;
