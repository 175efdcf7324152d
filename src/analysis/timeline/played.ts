import type { EventKind, EventOf } from '../../telemetry/event.ts';
import type { SessionLog } from '../../telemetry/schema/sessionLog.ts';
import { seriesOf } from './appendEvent.ts';
import { eventsOf, logEndMs, oncePerLog } from './log.ts';
import type { SessionSeries } from './series.ts';
import { playingSpans, stallsUntil, type Span } from './spans.ts';

/** When the picture moved in a session, to the end of its last part. */
export const playSpans = oncePerLog((log): readonly Span[] =>
  playingSpans(seriesOfKind(log, 'playback'), log.parts.at(-1)?.endMs ?? logEndMs(log)),
);

/** The stalls of a session after the first frame, seeks left out, in time order. */
export const stallSpans = oncePerLog((log): readonly Span[] => {
  const series = seriesOfKind(log, 'stall');
  series.lastMs = logEndMs(log);
  return stallsUntil(series, Infinity);
});

const seriesOfKind = (log: SessionLog, kind: EventKind): SessionSeries =>
  seriesOf({ parts: log.parts, events: [...eventsOf(log, kind)] });

/** Whether a first frame ever played: before it nothing can stall. */
export const hasPlayed = ({ events }: SessionLog): boolean =>
  events.some((event) => event.kind === 'playback' && event.state === 'playing');

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
