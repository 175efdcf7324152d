import type { SessionEvent, SessionLog } from '../../src/telemetry/schema/sessionLog.ts';
import type { Outcome } from './judgeMachine.ts';

/** How long a decoder may need to catch up after its stream stood still or changed. */
const SETTLING_MS = 2000;

/**
 * Frames of the seconds in which neither network nor rule disturbed the picture: none with a stall, seek or switch in it or
 * `SETTLING_MS` before. What is dropped then, the machine dropped; a bad network alone must not look like a busy machine.
 */
export function calmFrames({ events }: Pick<SessionLog, 'events'>): Omit<Outcome, 'busyDrops'> {
  const spans = events.flatMap(disturbanceOf);
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
