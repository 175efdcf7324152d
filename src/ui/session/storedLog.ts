import type { SessionEvent, SessionLog } from '../../telemetry/schema/sessionLog.ts';
import type { SessionStore } from '../../telemetry/shell/sessionStore.ts';

/** A whole log out of the store, what was unfinished at its last flush at the end; null when it is not there. */
export async function storedLog(store: SessionStore, id: string): Promise<SessionLog | null> {
  const header = await store.header(id);
  if (!header) return null;
  const events: SessionEvent[] = [];
  for await (const batch of store.events(id)) events.push(...batch);
  const seen = new Set(events.map((event) => event.id));
  const open = (await store.open(id)).filter((event) => !seen.has(event.id));
  return { ...header, events: [...events, ...open] };
}
