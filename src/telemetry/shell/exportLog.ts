import { closedHeader } from '../closedHeader.ts';
import type { SessionEvent, SessionLog } from '../schema/sessionLog.ts';
import type { SessionStore } from './sessionStore.ts';

/** A stored session as one object, unfinished events at its end. For a long one see `sessionBlob`. */
export async function exportLog(store: SessionStore, id: string): Promise<SessionLog> {
  const header = await store.header(id);
  if (!header) throw new Error(`There is no stored session ${id}.`);
  const events: SessionEvent[] = [];
  for await (const batch of store.events(id)) for (const event of batch) events.push(event);
  events.push(...(await store.open(id)));
  return { ...closedHeader(header, lastMsOf(events)), events };
}

const lastMsOf = (events: readonly SessionEvent[]): number =>
  events.reduce((latest, { atMs }) => Math.max(latest, atMs), 0);
