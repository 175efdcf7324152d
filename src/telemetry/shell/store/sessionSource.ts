import type { EventKind } from '../../event.ts';
import type { SessionEvent, SessionHeader, SessionLog } from '../../schema/sessionLog.ts';
import { createSessionText, decisionsCsv, requestsCsv, type CsvTable } from '../../sessionFile.ts';
import type { SessionStore } from './sessionStore.ts';

/** A session that can be read from its beginning, some events at a time. */
export interface SessionSource {
  readonly header: SessionHeader;
  /** Those of some kinds, or all. */
  readonly events: (kinds?: readonly EventKind[]) => AsyncIterable<readonly SessionEvent[]>;
}

export const noSession = (id: string): Error => new Error(`There is no stored session ${id}.`);

/** A session in the store, unfinished events at its end. */
export async function readStoredSource(store: SessionStore, id: string): Promise<SessionSource> {
  const stored = await store.snapshot(id);
  const listed = (await store.list()).find((session) => session.id === id);
  if (!stored || !listed) throw noSession(id);
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

/**
 * A stored session as one object, unfinished events at its end. For a long one see `sessionBlob`. `present` is what its recorder
 * has: the header, and all events that are not in the store for certain. They are all that is left where the store has been lost.
 */
export async function exportLog(
  store: Pick<SessionStore, 'snapshot'>,
  id: string,
  present?: { readonly header: SessionHeader; readonly open: readonly SessionEvent[] },
): Promise<SessionLog> {
  const stored = await store.snapshot(id).catch((fault: unknown) => {
    if (present) return null;
    throw fault;
  });
  const known = present ?? stored;
  if (!known) throw noSession(id);
  const { header, open } = known;
  const rest = new Map(open.map((event) => [event.id, event]));
  const events: SessionEvent[] = [];
  for await (const batch of stored?.events() ?? [])
    for (const event of batch) {
      events.push(event);
      rest.delete(event.id);
    }
  events.push(...rest.values());
  return { ...closedHeader(header, lastMsOf(events)), events };
}

const lastMsOf = (events: readonly SessionEvent[]): number =>
  events.reduce((latest, { atMs }) => Math.max(latest, atMs), 0);

/** The header of a session cut off or still running, with its open part ended at the last moment recorded. */
export function closedHeader(header: SessionHeader, lastMs: number): SessionHeader {
  const parts = header.parts.map((part) => ({
    ...part,
    endMs: part.endMs ?? Math.max(part.startMs, lastMs),
  }));
  return { ...header, parts };
}

/** What a session can be saved as: the whole of it as JSON, or its requests or decisions as a table for spreadsheets. */
export type FileKind = 'session' | 'request' | 'decision';

/**
 * A session as a JSON file. Written batch by batch: browsers keep large blobs outside the page's memory, so a day of playing
 * is never one object or one string here.
 */
export const sessionBlob = (session: SessionSource): Promise<Blob> =>
  blobOf('application/json', jsonOf(session));

/** A session as a file of any kind, written in the same way. */
export function fileBlob(session: SessionSource, kind: FileKind): Promise<Blob> {
  if (kind === 'session') return sessionBlob(session);
  const table = (kind === 'request' ? requestsCsv : decisionsCsv) as CsvTable<SessionEvent>;
  return blobOf('text/csv', rowsOf(session.events([kind]), table));
}

async function* jsonOf({ header, events }: SessionSource): AsyncIterable<string> {
  const text = createSessionText();
  yield text.begin(header);
  for await (const batch of events()) yield text.events(batch);
  yield text.end();
}

async function* rowsOf(
  batches: AsyncIterable<readonly SessionEvent[]>,
  { head, rows }: CsvTable<SessionEvent>,
): AsyncIterable<string> {
  yield head;
  for await (const batch of batches) yield rows(batch);
}

/** Pieces are folded into blobs as they come, so that only one batch is a string at a time. */
async function blobOf(type: string, pieces: AsyncIterable<string>): Promise<Blob> {
  const parts: Blob[] = [];
  for await (const piece of pieces) parts.push(new Blob([piece]));
  return new Blob(parts, { type });
}
