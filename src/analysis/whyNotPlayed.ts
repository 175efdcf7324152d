import { eventsOf } from './eventsOf.ts';
import { hasPlayed } from './hasPlayed.ts';
import type { EventOf } from '../telemetry/event.ts';
import type { SessionLog } from '../telemetry/schema/sessionLog.ts';

/** Why a session never showed a frame, in the words of its log: of what ended playback, else of its last error. null where it did. */
export function whyNotPlayed(log: SessionLog): string | null {
  if (hasPlayed(log)) return null;
  const errors = eventsOf(log, 'error');
  const reported = errors.find(isEndOfPlayback) ?? errors.find(({ fatal }) => fatal) ?? errors.at(-1);
  return reported ? reported.message.replace(/\s+/g, ' ') : 'Nothing was shown, and the log names no error.';
}

/** The player's own sentence on what ended playback (`watchFailures`); dash.js' words for it come before. */
const isEndOfPlayback = ({ source, code, fatal }: EventOf<'error'>): boolean =>
  fatal && source === 'player' && code === 'ended';
