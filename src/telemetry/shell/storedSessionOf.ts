import type { SessionEvent, SessionHeader } from '../schema/sessionLog.ts';
import type { StoredSession } from './sessionStore.ts';

/** The line about a session that a list of stored sessions shows. */
export function storedSessionOf(
  { id, clock, environment, parts }: SessionHeader,
  { events, live }: { events: readonly Pick<SessionEvent, 'atMs'>[]; live: boolean },
): StoredSession {
  const closedMs = parts.at(-1)?.endMs ?? null;
  return {
    id,
    startedAtUnixMs: clock.startedAtUnixMs,
    endMs: closedMs ?? Math.max(parts.at(-1)?.startMs ?? 0, ...events.map(({ atMs }) => atMs)),
    mpdUrl: environment.mpdUrl,
    rule: environment.rule,
    finished: closedMs !== null,
    live,
  };
}
