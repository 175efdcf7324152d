import type { SessionEvent, SessionLog } from '../../src/telemetry/schema/sessionLog.ts';
import type { Outcome } from './judgeMachine.ts';
import { SCARCE_VIDEO_MS, SETTLING_MS } from '../../src/analysis/timeline/scarceVideo.ts';

/**
 * Frames of the seconds in which neither network nor rule disturbed the picture: none with a stall, seek, switch or scarce
 * buffer in it or `SETTLING_MS` before. What is dropped then, the machine dropped; a bad network alone must not look like a
 * busy machine.
 */
export function calmFrames({ events }: Pick<SessionLog, 'events'>): Omit<Outcome, 'busyDrops'> {
  const spans = [...events.flatMap(disturbanceOf), ...scarceSpans(events)];
  const frames = events.filter((event) => event.kind === 'frames');
  const count = { decodedFrames: 0, droppedFrames: 0 };
  frames.slice(1).forEach((after, at) => {
    const before = frames[at]!;
    // The element counts from 0 again when it is given another stream, or none.
    if (after.decoded < before.decoded || after.dropped < before.dropped) return;
    if (spans.some(({ fromMs, untilMs }) => fromMs < after.atMs && untilMs > before.atMs)) return;
    count.decodedFrames += after.decoded - before.decoded;
    count.droppedFrames += after.dropped - before.dropped;
  });
  return count;
}

function disturbanceOf(event: SessionEvent): { fromMs: number; untilMs: number }[] {
  const span = (durationMs: number | null) => [
    { fromMs: event.atMs, untilMs: event.atMs + (durationMs ?? Infinity) + SETTLING_MS },
  ];
  if (event.kind === 'stall') return span(event.durationMs);
  if (event.kind === 'seek') return span(event.waitMs);
  if (event.kind === 'switch') return span(0);
  return [];
}

/** While the buffer level of the video is scarce: from one reading below the limit to the next above it. */
function scarceSpans(events: readonly SessionEvent[]): { fromMs: number; untilMs: number }[] {
  const levels = events
    .filter((event) => event.kind === 'buffer')
    .filter(({ mediaType }) => mediaType === 'video');
  return levels.flatMap(({ atMs, levelMs }, at) =>
    levelMs < SCARCE_VIDEO_MS
      ? [{ fromMs: atMs, untilMs: (levels[at + 1]?.atMs ?? atMs) + SETTLING_MS }]
      : [],
  );
}
