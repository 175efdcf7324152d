import { createHash } from 'node:crypto';
import type { SessionLog } from '../../../src/telemetry/schema/sessionLog.ts';

/** What a simulator played, as a hash: all that happened, down to the fraction of a millisecond, without the session's own names; null for a real player. */
export function courseOf({ environment, events }: SessionLog): string | null {
  if ((environment.simulator ?? null) === null) return null;
  // A rule is told a seed also where it draws no lots; drawn ones show in what it decides.
  const course = events.map((event) => (event.kind === 'rule' ? { ...event, seed: null } : event));
  return createHash('sha256').update(JSON.stringify(course)).digest('hex');
}
