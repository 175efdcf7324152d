import type { SessionLog } from '../../telemetry/schema/sessionLog.ts';
import { eventsOf } from '../eventsOf.ts';
import { logEndMs } from '../logEndMs.ts';
import type { Span } from '../playingSpans.ts';

/** Length of the racing paper's windows (2024, §VI-A). */
export const WINDOW_MS = 30_000;

/**
 * The whole windows of a session, from the first time play was asked for (so that arms of a pair have the same ones) to
 * the end of the log. What is left at the end is no window: a sum over a part of one would look small.
 */
export function windowsOf(log: SessionLog): Span[] {
  const asked = eventsOf(log, 'playback')
    .filter(({ state }) => state === 'play-requested' || state === 'playing')
    .map(({ atMs }) => atMs);
  if (asked.length === 0) return [];
  const startMs = asked.reduce((first, atMs) => Math.min(first, atMs));
  const count = Math.max(0, Math.floor((logEndMs(log) - startMs) / WINDOW_MS));
  return Array.from({ length: count }, (_, index) => ({
    fromMs: startMs + index * WINDOW_MS,
    toMs: startMs + (index + 1) * WINDOW_MS,
  }));
}
