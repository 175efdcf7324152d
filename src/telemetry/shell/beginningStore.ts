import { createMemoryStore } from './memoryStore.ts';
import type { SessionStore } from './sessionStore.ts';
import type { SessionHeader } from '../schema/sessionLog.ts';

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
  return {
    begin: async () => void (await begun),
    flush: async (update) => (await begun).flush(update),
    end: async (id) => (await begun).end(id),
    list: async () => (await begun).list(),
    header: async (id) => (await begun).header(id),
    async *events(id, kinds) {
      yield* (await begun).events(id, kinds);
    },
    open: async (id) => (await begun).open(id),
    snapshot: async (id) => (await begun).snapshot(id),
    event: async (sessionId, eventId) => (await begun).event(sessionId, eventId),
    remove: async (id) => (await begun).remove(id),
  };
}
