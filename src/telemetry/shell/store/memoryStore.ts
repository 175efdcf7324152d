import type { EventKind } from '../../event.ts';
import type { SessionEvent, SessionHeader } from '../../schema/sessionLog.ts';
import { storedSessionOf, type SessionStore } from './sessionStore.ts';

interface Kept {
  header: SessionHeader;
  events: SessionEvent[];
  open: readonly SessionEvent[];
}

/** Keeps sessions in memory: for tests, and for players that export at the end and need nothing to survive a crash. */
export function createMemoryStore(): SessionStore {
  const kept = new Map<string, Kept>();
  const live = new Set<string>();
  return {
    async begin(header) {
      if (live.has(header.id)) throw new Error(`session ${header.id} is already being recorded`);
      live.add(header.id);
      const before = kept.get(header.id);
      kept.set(header.id, { events: [], open: [], ...before, header: structuredClone(header) });
    },
    async flush({ header, events, open }) {
      const session = kept.get(header.id);
      if (!session) throw new Error(`session ${header.id} was not begun`);
      session.header = structuredClone(header);
      session.events.push(...events);
      session.open = [...open];
    },
    end: async (id) => void live.delete(id),
    list: async () =>
      [...kept.values()]
        .map(({ header, events, open }) =>
          storedSessionOf(header, { events: [...events.slice(-1), ...open], live: live.has(header.id) }),
        )
        .sort((one, other) => other.startedAtUnixMs - one.startedAtUnixMs),
    header: async (id) => structuredClone(kept.get(id)?.header ?? null),
    events: (id, kinds) => batchesOf(kept.get(id)?.events ?? [], kinds),
    open: async (id) => [...(kept.get(id)?.open ?? [])],
    async snapshot(id) {
      const session = kept.get(id);
      if (!session) return null;
      const events = [...session.events];
      return {
        header: structuredClone(session.header),
        events: (kinds) => batchesOf(events, kinds),
        open: [...session.open],
      };
    },
    event: async (sessionId, eventId) => kept.get(sessionId)?.events.find(({ id }) => id === eventId) ?? null,
    remove: async (id) => void kept.delete(id),
  };
}

async function* batchesOf(
  events: readonly SessionEvent[],
  kinds: readonly EventKind[] | undefined,
): AsyncIterable<readonly SessionEvent[]> {
  const wanted = kinds ? events.filter(({ kind }) => kinds.includes(kind)) : [...events];
  if (wanted.length > 0) yield wanted;
}

/** What answers with a promise. */
const LATER = ['flush', 'end', 'list', 'header', 'open', 'snapshot', 'event', 'remove'] as const;
type Later = (typeof LATER)[number];

/**
 * A store whose session is still being begun: playback need not wait for a lock and a database, so whatever is asked
 * of the store waits instead. Where the browser refuses storage the session stays in memory, and `onRefused` gets why.
 */
export function createBeginningStore(
  store: SessionStore,
  header: SessionHeader,
  onRefused: (fault: unknown) => void,
): SessionStore {
  const begun: Promise<SessionStore> = store.begin(header).then(
    () => store,
    async (fault: unknown) => {
      const memory = createMemoryStore();
      await memory.begin(header);
      onRefused(fault);
      return memory;
    },
  );
  /** Waits for the store, then asks it. */
  const later = LATER.map((method) => [
    method,
    async (...given: readonly unknown[]) =>
      ((await begun)[method] as (...all: readonly unknown[]) => unknown)(...given),
  ]);
  return {
    ...(Object.fromEntries(later) as Pick<SessionStore, Later>),
    begin: async () => void (await begun),
    async *events(id, kinds) {
      yield* (await begun).events(id, kinds);
    },
  };
}
