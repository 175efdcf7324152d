import type { SessionEvent } from '../../telemetry/schema/sessionLog.ts';

/**
 * Where less video is loaded, frames arrive about when they are to be shown, and those that arrive later are dropped. Sound
 * plays on meanwhile, so that Chromium reports no stall. In nine low-latency live sessions of 60 s on slow links, 368 frames
 * were dropped while the video played: all below this, and none of 7511 frames above it.
 */
export const SCARCE_VIDEO_MS = 200;

/** How long a decoder may need to catch up after its stream stood still or changed. */
export const SETTLING_MS = 2000;

/** Says when frames may have come too late. Gets the events of a session in recording order. */
interface ScarceVideo {
  see(event: SessionEvent): void;
  /** Whether video was scarce, or the decoder caught up after that, at any time from `sinceMs` (session time) until now. */
  isSince(sinceMs: number): boolean;
}

/** The start is no scarcity: nothing is shown before video is loaded for the first time. */
export function watchScarceVideo(): ScarceVideo {
  let wasLoaded = false;
  let untilMs = -Infinity;
  return {
    see(event) {
      if (event.kind !== 'buffer' || event.mediaType === 'audio') return;
      if (event.levelMs >= SCARCE_VIDEO_MS) {
        wasLoaded = true;
        if (untilMs === Infinity) untilMs = event.atMs + SETTLING_MS;
      } else if (wasLoaded) untilMs = Infinity;
    },
    isSince: (sinceMs) => untilMs > sinceMs,
  };
}
