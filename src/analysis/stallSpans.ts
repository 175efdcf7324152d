import { eventsOf } from './eventsOf.ts';
import { gapsOf, lastSeenMs } from './gapsOf.ts';
import { logEndMs } from './logEndMs.ts';
import { oncePerLog } from './oncePerLog.ts';
import type { Span } from './playingSpans.ts';

/** Stalls after the first frame, seeks left out, in time order. An open one lasted at least until recording broke off. */
export const stallSpans = oncePerLog((log): readonly Span[] => {
  const endMs = logEndMs(log);
  const gaps = gapsOf(log.parts);
  return eventsOf(log, 'stall')
    .map(({ atMs, durationMs }) => ({
      fromMs: atMs,
      toMs: durationMs === null ? lastSeenMs(gaps, atMs, endMs) : atMs + durationMs,
    }))
    .sort((one, other) => one.fromMs - other.fromMs);
});
