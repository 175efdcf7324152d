import { playbackDraft } from '../log/playbackDraft.ts';
import type { SimLog } from '../log/simLog.ts';
import { switchRendered } from '../log/switchDraft.ts';
import type { Track } from '../content.ts';

/**
 * What the viewer of the chunk model sees, written to a log. A segment is on screen when the one before has played or,
 * after a stall, from its arrival.
 *
 *     arrival ── shown ── 4 s ──┬── the next is there: shown
 *                               └── it is not: waiting ── stall ── arrival: playing, shown
 */
export interface ChunkScreen {
  /** `stallMs` of it were waited for; of the first segment all. */
  arrived(segment: number, rung: number, atMs: number, stallMs: number): void;
  /** Writes what was shown by then. */
  showUntil(atMs: number): void;
  /** Plays out what is there; returns when playback ended, ms. */
  playOut(): number;
}

export function createChunkScreen(log: SimLog, track: Track): ChunkScreen {
  const queue: { rung: number; atMs: number }[] = [];
  let lastRung: number | null = null;
  let playedOutMs = 0;
  const show = (rung: number, atMs: number): void => {
    if (rung !== lastRung)
      log.record(switchRendered({ atMs, mediaType: 'video', fromRung: lastRung, toRung: rung }, track));
    lastRung = rung;
  };
  const showUntil = (atMs: number): void => {
    for (let next = queue[0]; next && next.atMs <= atMs; next = queue[0]) {
      queue.shift();
      show(next.rung, next.atMs);
    }
  };
  return {
    showUntil,
    arrived(segment, rung, atMs, stallMs) {
      const playheadMs = segment * track.segmentMs;
      const stallAtMs = segment > 0 && stallMs > 0 ? atMs - stallMs : null;
      showUntil(atMs);
      if (stallAtMs !== null) log.record(playbackDraft('waiting', { atMs: stallAtMs, playheadMs }));
      if (stallAtMs !== null || segment === 0) {
        log.record(playbackDraft('playing', { atMs, playheadMs }));
        playedOutMs = atMs;
      }
      if (stallAtMs !== null)
        log.record({ kind: 'stall', atMs: stallAtMs, playheadMs, durationMs: stallMs, missing: {} });
      queue.push({ rung, atMs: playedOutMs });
      showUntil(atMs);
      playedOutMs += track.segmentMs;
    },
    playOut() {
      showUntil(Infinity);
      return playedOutMs;
    },
  };
}
