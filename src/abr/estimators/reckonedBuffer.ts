import type { DownloadEvent } from '../rule.ts';

/**
 * The buffer level at times when nobody tells it, by dead reckoning: each segment adds its length, time takes it away.
 * A rule gets the true level only at its decisions and cannot keep it (`decide` returns no state), but BOLA-E and
 * dash.js use the level at the last request.
 */
export interface ReckonedBuffer {
  /** ms of content when the last download ended. */
  readonly levelMs: number;
  /** Session time of that; null before the first download. */
  readonly atMs: number | null;
  /** The most advanced segment loaded; null when not known. */
  readonly newestSegment: number | null;
}

export const EMPTY_BUFFER: ReckonedBuffer = { levelMs: 0, atMs: null, newestSegment: null };

/** The level around a download, ms. */
export interface BufferAround {
  readonly atRequestMs: number;
  /** The least, just before the segment arrived. */
  readonly beforeMs: number;
  /** Time between the last download and this request. */
  readonly waitMs: number;
  /** It replaced a segment that was there (fast switching), so the buffer did not grow. */
  readonly replaced: boolean;
  readonly next: ReckonedBuffer;
}

export function aroundDownload(
  buffer: ReckonedBuffer,
  download: DownloadEvent,
  segmentMs: number,
): BufferAround {
  const { startMs, lastByteMs, segment, aborted } = download;
  const fromMs = Math.max(startMs, buffer.atMs ?? startMs);
  const waitMs = fromMs - (buffer.atMs ?? fromMs);
  const atRequestMs = levelAfter(buffer.levelMs, waitMs);
  const beforeMs = Math.max(atRequestMs - Math.max(lastByteMs - fromMs, 0), 0);
  const { newestSegment } = buffer;
  const replaced = segment !== null && newestSegment !== null && segment <= newestSegment;
  const grows = !aborted && !replaced;
  const next = {
    levelMs: beforeMs + (grows ? segmentMs : 0),
    atMs: Math.max(lastByteMs, fromMs),
    newestSegment: grows ? (segment ?? newestSegment) : newestSegment,
  };
  return { atRequestMs, beforeMs, waitMs, replaced, next };
}

/** A wait that would have emptied the buffer without a reported stall is a pause of playback. */
const levelAfter = (levelMs: number, waitMs: number): number =>
  waitMs < levelMs ? levelMs - waitMs : levelMs;
