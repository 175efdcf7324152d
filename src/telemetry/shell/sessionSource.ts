import { closedHeader } from '../closedHeader.ts';
import type { EventKind } from '../event.ts';
import type { SessionEvent, SessionHeader, SessionLog } from '../schema/sessionLog.ts';
import type { SessionStore } from './sessionStore.ts';

/** A session that can be read from its beginning, some events at a time. */
export interface SessionSource {
  readonly header: SessionHeader;
  /** Those of some kinds, or all. */
  readonly events: (kinds?: readonly EventKind[]) => AsyncIterable<readonly SessionEvent[]>;
}

/** A session in the store, unfinished events at its end. */
export async function storedSource(store: SessionStore, id: string): Promise<SessionSource> {
  const stored = await store.snapshot(id);
  const listed = (await store.list()).find((session) => session.id === id);
  if (!stored || !listed) throw new Error(`There is no stored session ${id}.`);
  return {
    header: closedHeader(stored.header, listed.endMs),
    async *events(kinds) {
      yield* stored.events(kinds);
      yield only(stored.open, kinds);
    },
  };
}

/** A log in memory. */
export function logSource({ events, ...header }: SessionLog): SessionSource {
  return {
    header,
    async *events(kinds) {
      const wanted = only(events, kinds);
      for (let at = 0; at < wanted.length; at += LOT) yield wanted.slice(at, at + LOT);
    },
  };
}

/** A day of recording in one string would be larger than a string may be. */
const LOT = 2000;

const only = (
  events: readonly SessionEvent[],
  kinds: readonly EventKind[] | undefined,
): readonly SessionEvent[] => (kinds ? events.filter(({ kind }) => kinds.includes(kind)) : events);
