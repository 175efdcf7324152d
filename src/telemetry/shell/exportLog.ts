import { closedHeader } from '../closedHeader.ts';
import type { SessionEvent, SessionLog } from '../schema/sessionLog.ts';
import type { SessionStore } from './sessionStore.ts';

/** A stored session as one object, unfinished events at its end. For a long one see `sessionBlob`. */
export async function exportLog(store: SessionStore, id: string): Promise<SessionLog> {
  const stored = await store.snapshot(id);
  if (!stored) throw new Error(`There is no stored session ${id}.`);
  const events: SessionEvent[] = [];
  for await (const batch of stored.events()) for (const event of batch) events.push(event);
  events.push(...stored.open);
  return { ...closedHeader(stored.header, lastMsOf(events)), events };
}

const lastMsOf = (events: readonly SessionEvent[]): number =>
  events.reduce((latest, { atMs }) => Math.max(latest, atMs), 0);
