import { openDB, type DBSchema, type IDBPDatabase } from 'idb';
import type { EventKind } from '../event.ts';
import type { SessionEvent, SessionHeader } from '../schema/sessionLog.ts';
import { holdSessionLock, liveSessionIds } from './sessionLock.ts';
import type { SessionStore } from './sessionStore.ts';
import { storedSessionOf } from './storedSessionOf.ts';

/**
 * Sessions in IndexedDB. The browser's own process writes it, so what was committed survives a killed page.
 *
 *   sessions  id → header, unfinished events, time of the newest event, number of the next batch
 *   batches   [session, number] → the events of one flush: one cheap write a second, however many events there are
 *             index `named`: "session/event" → batch, only for the events that people look up one by one
 */
interface Tables extends DBSchema {
  sessions: { key: string; value: SessionRecord };
  batches: { key: [string, number]; value: BatchRecord; indexes: { named: string } };
}

interface SessionRecord {
  id: string;
  header: SessionHeader;
  open: readonly SessionEvent[];
  lastMs: number;
  nextBatch: number;
}

interface BatchRecord {
  session: string;
  number: number;
  kinds: EventKind[];
  named: string[];
  events: readonly SessionEvent[];
}

type Database = IDBPDatabase<Tables>;

/** Batches read at once: about a minute of playing. */
const READ_AHEAD = 64;
const NAMED: readonly EventKind[] = ['request', 'decision'];
/** The browser reports success once it has the data, without waiting for the disk: enough for a killed page. */
const RELAXED = { durability: 'relaxed' } as const;

export function createIndexedDbStore(databaseName = 'pitwall'): SessionStore {
  let opened: Promise<Database> | null = null;
  const database = (): Promise<Database> => (opened ??= open(databaseName));
  const locks = new Map<string, () => void>();
  // Sessions that this page records: only it writes them (the lock), so that a write need not read first.
  const records = new Map<string, SessionRecord>();
  return {
    async begin(header) {
      locks.set(header.id, await holdSessionLock(header.id));
      records.set(header.id, await beginSession(await database(), header));
    },
    flush: async (update) => flush(await database(), records, update),
    async end(id) {
      records.delete(id);
      locks.get(id)?.();
      locks.delete(id);
    },
    list: async () => list(await database()),
    header: async (id) => (await (await database()).get('sessions', id))?.header ?? null,
    async *events(id, kinds) {
      yield* eventsOf(await database(), id, kinds);
    },
    open: async (id) => (await (await database()).get('sessions', id))?.open ?? [],
    event: async (sessionId, eventId) => find(await database(), sessionId, eventId),
    async remove(id) {
      records.delete(id);
      await remove(await database(), id);
    },
  };
}

function open(name: string): Promise<Database> {
  return openDB<Tables>(name, 1, {
    upgrade(database) {
      database.createObjectStore('sessions', { keyPath: 'id' });
      const batches = database.createObjectStore('batches', { keyPath: ['session', 'number'] });
      batches.createIndex('named', 'named', { multiEntry: true });
    },
    // A newer version of the page wants in: let go, so that it can upgrade.
    blocking: (_current, _blocked, event) => (event.target as IDBDatabase | null)?.close(),
  });
}

async function beginSession(database: Database, header: SessionHeader): Promise<SessionRecord> {
  const { store } = database.transaction('sessions', 'readwrite', RELAXED);
  const before = await store.get(header.id);
  const record = { id: header.id, open: [], lastMs: 0, nextBatch: 0, ...before, header };
  await store.put(record);
  return record;
}

async function flush(
  database: Database,
  records: Map<string, SessionRecord>,
  { header, events, open }: Parameters<SessionStore['flush']>[0],
): Promise<void> {
  const transaction = database.transaction(['sessions', 'batches'], 'readwrite', RELAXED);
  const sessions = transaction.objectStore('sessions');
  const before = records.get(header.id) ?? (await sessions.get(header.id));
  if (!before) throw new Error(`session ${header.id} was not begun, or was removed`);
  const lastMs = [...events, ...open].reduce((latest, { atMs }) => Math.max(latest, atMs), before.lastMs);
  const record = { ...before, header, open, lastMs, nextBatch: before.nextBatch + Math.sign(events.length) };
  // At once, so that the next write takes the next number even while this one is under way.
  if (records.has(header.id)) records.set(header.id, record);
  try {
    const batch = events.length > 0 ? batchOf(header.id, before.nextBatch, events) : null;
    const written = batch && transaction.objectStore('batches').put(batch);
    await Promise.all([written, sessions.put(record), transaction.done]);
  } catch (fault) {
    // What is on disk is what counts: from now on it is read before each write.
    records.delete(header.id);
    throw fault;
  }
}

function batchOf(session: string, number: number, events: readonly SessionEvent[]): BatchRecord {
  const named = events.filter(({ kind }) => NAMED.includes(kind)).map(({ id }) => `${session}/${id}`);
  return { session, number, kinds: [...new Set(events.map(({ kind }) => kind))], named, events };
}

async function list(database: Database) {
  const live = await liveSessionIds();
  const sessions = await database.getAll('sessions');
  return sessions
    .map(({ id, header, lastMs }) =>
      storedSessionOf(header, { events: [{ atMs: lastMs }], live: live.has(id) }),
    )
    .sort((one, other) => other.startedAtUnixMs - one.startedAtUnixMs);
}

async function* eventsOf(
  database: Database,
  id: string,
  kinds: readonly EventKind[] | undefined,
): AsyncIterable<readonly SessionEvent[]> {
  for (let from = 0; ; from += READ_AHEAD) {
    const range = IDBKeyRange.bound([id, from], [id, from + READ_AHEAD], false, true);
    const batches = await database.getAll('batches', range);
    if (batches.length === 0) return;
    const events = batches.flatMap((batch) => wanted(batch, kinds));
    if (events.length > 0) yield events;
  }
}

function wanted(batch: BatchRecord, kinds: readonly EventKind[] | undefined): readonly SessionEvent[] {
  if (!kinds) return batch.events;
  if (!batch.kinds.some((kind) => kinds.includes(kind))) return [];
  return batch.events.filter(({ kind }) => kinds.includes(kind));
}

async function find(database: Database, sessionId: string, eventId: string): Promise<SessionEvent | null> {
  const named = await database.getFromIndex('batches', 'named', `${sessionId}/${eventId}`);
  if (named) return named.events.find(({ id }) => id === eventId) ?? null;
  for await (const events of eventsOf(database, sessionId, undefined)) {
    const event = events.find(({ id }) => id === eventId);
    if (event) return event;
  }
  return null;
}

async function remove(database: Database, id: string): Promise<void> {
  const transaction = database.transaction(['sessions', 'batches'], 'readwrite', RELAXED);
  await Promise.all([
    transaction.objectStore('sessions').delete(id),
    transaction.objectStore('batches').delete(IDBKeyRange.bound([id, 0], [id, Infinity])),
    transaction.done,
  ]);
}
