import type { EventKind } from '../../event.ts';
import type { SessionEvent, SessionHeader } from '../../schema/sessionLog.ts';

/** Where recordings live while they run: IndexedDB in the page, memory in tests and other people's players. */
export interface SessionStore {
  /** Takes the session's lock: a second tab cannot rescue a live session. Throws when it is held elsewhere. */
  begin(header: SessionHeader): Promise<void>;
  /** Appends finished events and replaces header and unfinished events, in one transaction. */
  flush(update: {
    header: SessionHeader;
    events: readonly SessionEvent[];
    open: readonly SessionEvent[];
  }): Promise<void>;
  /** Gives the lock back. */
  end(id: string): Promise<void>;
  /** All of them, newest first: live (some page holds the lock), finished, or cut off by a crash or reload. */
  list(): Promise<readonly StoredSession[]>;
  header(id: string): Promise<SessionHeader | null>;
  /** Events in recording order, in batches, so that a 24 h session is never in memory at once. */
  events(id: string, kinds?: readonly EventKind[]): AsyncIterable<readonly SessionEvent[]>;
  /** Unfinished events of the last flush. */
  open(id: string): Promise<readonly SessionEvent[]>;
  /** A session as one flush left it, also while it goes on: what its events name is among them. null: there is none. */
  snapshot(id: string): Promise<SessionSnapshot | null>;
  event(sessionId: string, eventId: string): Promise<SessionEvent | null>;
  remove(id: string): Promise<void>;
}

interface SessionSnapshot {
  readonly header: SessionHeader;
  /** Finished events, as `SessionStore.events` gives them; none of a later flush. */
  readonly events: (kinds?: readonly EventKind[]) => AsyncIterable<readonly SessionEvent[]>;
  readonly open: readonly SessionEvent[];
}

export interface StoredSession {
  readonly id: string;
  readonly startedAtUnixMs: number;
  readonly endMs: number;
  readonly mpdUrl: string | null;
  readonly rule: string | null;
  /** False: it was cut off and waits to be exported, resumed or dropped. */
  readonly finished: boolean;
  readonly live: boolean;
}

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
