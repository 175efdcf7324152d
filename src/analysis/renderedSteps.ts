import type { SessionLog } from '../telemetry/schema/sessionLog.ts';
import { eventsOf } from './eventsOf.ts';

/**
 * The steps between successive rendered video rungs that differ, kbit/s; null when no video was rendered. Rungs are
 * compared by bitrate: where a new period has another ladder, the same place in it is another rung.
 */
export function renderedSteps(log: SessionLog): number[] | null {
  const rendered = eventsOf(log, 'switch')
    .filter(({ mediaType, phase }) => mediaType === 'video' && phase === 'rendered')
    .sort((one, other) => one.atMs - other.atMs);
  if (rendered.length === 0) return null;
  return rendered.slice(1).flatMap(({ bitrateKbps }, index) => {
    const before = rendered[index]!.bitrateKbps;
    return bitrateKbps === before ? [] : [bitrateKbps - before];
  });
}
