import { createHash } from 'node:crypto';
import type { SessionLog } from '../../src/telemetry/schema/sessionLog.ts';
import { isSimulated } from '../../src/telemetry/isSimulated.ts';

/**
 * What a simulator played, as a hash: every moment, size and rung of every event, down to the fraction of a millisecond,
 * without the session's own names; null for a real player. Numbers alone distinguish two sessions, at a tenth of the time of
 * the whole text.
 */
export function playbackHashOf(log: SessionLog): string | null {
  if (!isSimulated(log)) return null;
  const numbers: number[] = [];
  for (const event of log.events) {
    numbers.push(event.kind.length, event.kind.charCodeAt(0));
    for (const name in event) {
      const value: unknown = event[name as keyof typeof event];
      // A rule gets a seed also where it draws no random numbers; where it does, its decisions show them.
      if (typeof value === 'number' && name !== 'seed') numbers.push(value);
    }
  }
  return createHash('sha256').update(Float64Array.from(numbers)).digest('hex');
}
