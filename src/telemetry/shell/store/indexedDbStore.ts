import type { EventKind } from '../../event.ts';
import type { SessionEvent, SessionHeader } from '../../schema/sessionLog.ts';
import { storedSessionOf, type SessionStore } from './sessionStore.ts';

/**
 * Sessions in IndexedDB. The browser's own process writes it, so what was committed survives a killed page.
 *
 *   sessions  id → header, unfinished events, time of the newest event, number of the next batch
 *   batches   [session, number] → the events of one flush: one cheap write a second, however many events there are
 *             index `named`: "session/event" → batch, only for the events that people look up one by one
 */
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

/** Batches read at once: about a minute of playing. */
const READ_AHEAD = 64;
const NAMED: readonly EventKind[] = ['request', 'decision'];
/** The browser reports success once it has the data, without waiting for the disk: enough for a killed page. */
const RELAXED = { durability: 'relaxed' } as const;

export function createIndexedDbStore(databaseName = 'pitwall'): SessionStore {
  let opened: Promise<IDBDatabase> | null = null;
  const database = (): Promise<IDBDatabase> => (opened ??= open(databaseName, () => void (opened = null)));
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
    header: async (id) => (await sessionRecord(await database(), id))?.header ?? null,
    async *events(id, kinds) {
      yield* eventsOf(await database(), id, { kinds });
    },
    open: async (id) => (await sessionRecord(await database(), id))?.open ?? [],
    async snapshot(id) {
      const from = await database();
      const record = await sessionRecord(from, id);
      if (!record) return null;
      const { header, open, nextBatch } = record;
      return { header, open, events: (kinds) => eventsOf(from, id, { kinds, before: nextBatch }) };
    },
    event: async (sessionId, eventId) => find(await database(), sessionId, eventId),
    async remove(id) {
      records.delete(id);
      await remove(await database(), id);
    },
  };
}

/** `onGone`: its connection is closed, or never came about; whoever asks again opens another. */
async function open(name: string, onGone: () => void): Promise<IDBDatabase> {
  const request = indexedDB.open(name, 1);
  request.onupgradeneeded = () => {
    const { result: database } = request;
    database.createObjectStore('sessions', { keyPath: 'id' });
    const batches = database.createObjectStore('batches', { keyPath: ['session', 'number'] });
    batches.createIndex('named', 'named', { multiEntry: true });
  };
  const database = await resultOf(request).catch((fault: unknown) => {
    onGone();
    throw fault;
  });
  // A newer version of the page wants in, or somebody deletes the database: let go of it.
  database.onversionchange = () => {
    database.close();
    onGone();
  };
  // The browser has closed it, for example because somebody clears the data of the site.
  database.onclose = onGone;
  return database;
}

const writing = (database: IDBDatabase): IDBTransaction =>
  database.transaction(['sessions', 'batches'], 'readwrite', RELAXED);

const reading = (database: IDBDatabase, table: 'sessions' | 'batches'): IDBObjectStore =>
  database.transaction(table).objectStore(table);

const sessionRecord = (database: IDBDatabase, id: string): Promise<SessionRecord | undefined> =>
  recordIn(reading(database, 'sessions'), id);

const recordIn = (sessions: IDBObjectStore, id: string): Promise<SessionRecord | undefined> =>
  resultOf(sessions.get(id) as IDBRequest<SessionRecord | undefined>);

async function beginSession(database: IDBDatabase, header: SessionHeader): Promise<SessionRecord> {
  const sessions = writing(database).objectStore('sessions');
  const before = await recordIn(sessions, header.id);
  const record = { id: header.id, open: [], lastMs: 0, nextBatch: 0, ...before, header };
  await resultOf(sessions.put(record));
  return record;
}

async function flush(
  database: IDBDatabase,
  records: Map<string, SessionRecord>,
  { header, events, open }: Parameters<SessionStore['flush']>[0],
): Promise<void> {
  const transaction = writing(database);
  const sessions = transaction.objectStore('sessions');
  const before = records.get(header.id) ?? (await recordIn(sessions, header.id));
  if (!before) throw new Error(`session ${header.id} was not begun, or was removed`);
  const lastMs = [...events, ...open].reduce((latest, { atMs }) => Math.max(latest, atMs), before.lastMs);
  const record = { ...before, header, open, lastMs, nextBatch: before.nextBatch + Math.sign(events.length) };
  // At once, so that the next write takes the next number even while this one is under way.
  if (records.has(header.id)) records.set(header.id, record);
  try {
    if (events.length > 0)
      transaction.objectStore('batches').put(batchOf(header.id, before.nextBatch, events));
    sessions.put(record);
    await committed(transaction);
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

async function list(database: IDBDatabase) {
  const live = await liveSessionIds();
  const sessions: SessionRecord[] = await resultOf(reading(database, 'sessions').getAll());
  return sessions
    .map(({ id, header, lastMs }) =>
      storedSessionOf(header, { events: [{ atMs: lastMs }], live: live.has(id) }),
    )
    .sort((one, other) => other.startedAtUnixMs - one.startedAtUnixMs);
}

async function* eventsOf(
  database: IDBDatabase,
  id: string,
  { kinds, before = Infinity }: { kinds?: readonly EventKind[] | undefined; before?: number },
): AsyncIterable<readonly SessionEvent[]> {
  for (let from = 0; from < before; from += READ_AHEAD) {
    const range = IDBKeyRange.bound([id, from], [id, Math.min(from + READ_AHEAD, before)], false, true);
    const batches: BatchRecord[] = await resultOf(reading(database, 'batches').getAll(range));
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

async function find(database: IDBDatabase, sessionId: string, eventId: string): Promise<SessionEvent | null> {
  const byName = reading(database, 'batches').index('named');
  const named = await resultOf(byName.get(`${sessionId}/${eventId}`) as IDBRequest<BatchRecord | undefined>);
  if (named) return named.events.find(({ id }) => id === eventId) ?? null;
  for await (const events of eventsOf(database, sessionId, {})) {
    const event = events.find(({ id }) => id === eventId);
    if (event) return event;
  }
  return null;
}

async function remove(database: IDBDatabase, id: string): Promise<void> {
  const transaction = writing(database);
  transaction.objectStore('sessions').delete(id);
  transaction.objectStore('batches').delete(IDBKeyRange.bound([id, 0], [id, Infinity]));
  await committed(transaction);
}

/** Settles when IndexedDB has taken all that a transaction wrote. Rejects when it took nothing of it. */
const committed = (transaction: IDBTransaction): Promise<void> =>
  new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    // Also after an error; `error` is null when the page itself gave it up.
    transaction.onabort = () => reject(transaction.error ?? new DOMException('The write was given up.'));
  });

/** What IndexedDB answers to a request. Rejects with its error. */
const resultOf = <Result>(request: IDBRequest<Result>): Promise<Result> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error!);
  });

const PREFIX = 'pitwall-session-';

/**
 * Holds the Web Lock of a session until the returned function is called or the page dies, so that no other tab takes
 * a session that is being recorded for one that was cut off. Throws when another page holds it. Where there are no
 * Web Locks (an insecure origin) the session is recorded all the same, unprotected.
 */
async function holdSessionLock(sessionId: string): Promise<() => void> {
  const locks = webLocks();
  if (!locks) return () => undefined;
  return new Promise((resolve, reject) => {
    const held = (lock: Lock | null): Promise<void> | undefined => {
      if (lock) return new Promise((release) => resolve(release));
      reject(new Error(`session ${sessionId} is already being recorded in another tab`));
      return undefined;
    };
    locks.request(PREFIX + sessionId, { ifAvailable: true }, held).catch(reject);
  });
}

/** Sessions that some page of this origin is recording now. */
async function liveSessionIds(): Promise<ReadonlySet<string>> {
  const { held = [] } = (await webLocks()?.query()) ?? {};
  const names = held.flatMap(({ name }) => (name?.startsWith(PREFIX) ? [name.slice(PREFIX.length)] : []));
  return new Set(names);
}

function webLocks(): LockManager | undefined {
  return (globalThis as { navigator?: { locks?: LockManager } }).navigator?.locks;
}
