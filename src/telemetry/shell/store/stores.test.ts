import 'fake-indexeddb/auto';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { exampleLog, exampleRequest } from '../../exampleLog.testing.ts';
import { checkSession, readSession } from '../../schema/readSession.ts';
import type { SessionEvent, SessionLog } from '../../schema/sessionLog.ts';
import { resumedHeader } from '../sessionHeader.ts';
import { createIndexedDbStore } from './indexedDbStore.ts';
import { createMemoryStore } from './memoryStore.ts';
import { exportLog, fileBlob, readStoredSource, sessionBlob } from './sessionSource.ts';
import type { SessionStore } from './sessionStore.ts';

beforeEach(() => void vi.stubGlobal('navigator', { locks: fakeLocks() }));
afterEach(() => void vi.unstubAllGlobals());

let databases = 0;
const stores: [name: string, create: () => SessionStore][] = [
  ['memory', createMemoryStore],
  ['IndexedDB', () => createIndexedDbStore(`test-${++databases}`)],
];

describe.each(stores)('sessions in %s', (_name, create) => {
  test('come back as they went in, in order', async () => {
    const { store, header, events } = await begun(create());
    await store.flush({ header, events: events.slice(0, 4), open: [] });
    await store.flush({ header, events: events.slice(4), open: [] });
    expect(await all(store.events(header.id))).toEqual(events);
    expect((await exportLog(store, header.id)).events).toEqual(events);
  });

  test('give events by kind and one by one', async () => {
    const { store, header, events } = await begun(create());
    await store.flush({ header, events, open: [] });
    expect((await all(store.events(header.id, ['decision']))).map(({ id }) => id)).toEqual([
      'd1',
      'd2',
      'd3',
    ]);
    expect(await store.event(header.id, 'r3')).toMatchObject({ id: 'r3', kind: 'request' });
    expect(await store.event(header.id, 'l1')).toMatchObject({ kind: 'ladder' });
    expect(await store.event(header.id, 'r99')).toBeNull();
    expect(await store.event('other', 'r3')).toBeNull();
  });

  test('cut off end with what was unfinished, and the export is valid', async () => {
    const { store, header, events } = await begun(create());
    const open = exampleRequest({ id: 'r50', atMs: 9000, outcome: 'in-flight' });
    await store.flush({ header, events, open: [open] });
    expect(await store.list()).toMatchObject([{ id: header.id, finished: false, live: true, endMs: 9000 }]);
    const log = await exportLog(store, header.id);
    expect(log.events.at(-1)?.id).toBe('r50');
    expect(log.parts).toMatchObject([{ startMs: 0, endMs: 9000 }]);
    expect(checkSession(log)).toMatchObject({ ok: true });
  });

  test('are read as one flush left them: what finishes meanwhile is not lost', async () => {
    const { store, header, events } = await begun(create());
    const inFlight = exampleRequest({ id: 'r50', atMs: 9000, outcome: 'in-flight' });
    await store.flush({ header, events, open: [inFlight] });
    const reading = (await readStoredSource(store, header.id)).events()[Symbol.asyncIterator]();
    const read = [...((await reading.next()).value as readonly SessionEvent[])];
    await store.flush({ header, events: [exampleRequest({ id: 'r50', atMs: 9000 })], open: [] });
    for (let next = await reading.next(); !next.done; next = await reading.next()) read.push(...next.value);
    expect(read).toEqual([...events, inFlight]);
  });

  test('keep only the newest unfinished events', async () => {
    const { store, header } = await begun(create());
    await store.flush({ header, events: [], open: [exampleRequest({ id: 'r50' })] });
    await store.flush({ header, events: [exampleRequest({ id: 'r50' })], open: [] });
    expect(await store.open(header.id)).toEqual([]);
    expect(await all(store.events(header.id))).toHaveLength(1);
  });

  test('are finished once their last part has an end, and free after it', async () => {
    const { store, header } = await begun(create());
    await expect(store.begin(header)).rejects.toThrow(/already being recorded/);
    await store.flush({ header: ended(header, 500), events: [], open: [] });
    await store.end(header.id);
    expect(await store.list()).toMatchObject([{ finished: true, live: false, endMs: 500 }]);
    await store.begin(header);
  });

  test('go on as a new part whose gap is known', async () => {
    const { store, header, events } = await begun(create(), { startedAtUnixMs: Date.now() - 60_000 });
    await store.flush({ header, events, open: [] });
    await store.end(header.id);
    const resumed = resumedHeader(header, 6000);
    await store.begin(resumed);
    await store.flush({ header: resumed, events: [exampleRequest({ id: 'r2-1', atMs: 1e9 })], open: [] });
    const log = await exportLog(store, header.id);
    expect(log.events).toHaveLength(events.length + 1);
    const [first, second] = log.parts;
    expect(first?.endMs).toBe(6000);
    expect(second?.gapMs).toBe((second?.startMs ?? 0) - 6000);
  });

  test('are listed newest first and can be removed', async () => {
    const store = create();
    const older = await begun(store, { id: 'older', startedAtUnixMs: 1 });
    await begun(store, { id: 'newer', startedAtUnixMs: 2 });
    await store.flush({ header: older.header, events: older.events, open: [] });
    expect((await store.list()).map(({ id }) => id)).toEqual(['newer', 'older']);
    await store.remove('older');
    expect(await all(store.events('older'))).toEqual([]);
    expect(await store.header('older')).toBeNull();
  });

  test('leave as files that read back', async () => {
    const { store, header, events } = await begun(create());
    for (const event of events) await store.flush({ header, events: [event], open: [] });
    const stored = await readStoredSource(store, header.id);
    const blob = await sessionBlob(stored);
    const read = readSession(await blob.text());
    expect(read.ok && read.value.events).toEqual(events);
    const csv = await (await fileBlob(stored, 'decision')).text();
    expect(csv.trim().split('\r\n')).toHaveLength(1 + 3);
  });
});

test('flushes at the same time keep all their events', async () => {
  const { store, header, events } = await begun(createIndexedDbStore(`test-${++databases}`));
  const [one, two] = [events.slice(0, 3), events.slice(3)];
  await Promise.all([one, two].map((part) => store.flush({ header, events: part, open: [] })));
  expect(await all(store.events(header.id))).toEqual(events);
});

test('a write that fails loses nothing of the next', async () => {
  const { store, header, events } = await begun(createIndexedDbStore(`test-${++databases}`));
  const bad = { ...events[0]!, uncloneable: () => undefined };
  await expect(store.flush({ header, events: [bad], open: [] })).rejects.toThrow();
  for (const event of events) await store.flush({ header, events: [event], open: [] });
  expect(await all(store.events(header.id))).toEqual(events);
});

test('hundreds of flushes come back in order', async () => {
  const { store, header } = await begun(createIndexedDbStore(`test-${++databases}`));
  const events = Array.from({ length: 300 }, (_, index) => exampleRequest({ id: `r${index}`, atMs: index }));
  for (const event of events) await store.flush({ header, events: [event], open: [] });
  expect(await all(store.events(header.id))).toEqual(events);
});

async function begun(
  store: SessionStore,
  { id, startedAtUnixMs }: { id?: string; startedAtUnixMs?: number } = {},
) {
  const { events, ...log } = exampleLog();
  const header = ended({ ...log, id: id ?? log.id }, null);
  if (startedAtUnixMs !== undefined) header.clock = { ...header.clock, startedAtUnixMs };
  await store.begin(header);
  return { store, header, events };
}

function ended<H extends Omit<SessionLog, 'events'>>(header: H, endMs: number | null): H {
  return { ...header, parts: header.parts.map((part) => ({ ...part, endMs })) };
}

async function all(batches: AsyncIterable<readonly SessionEvent[]>): Promise<SessionEvent[]> {
  const events = [];
  for await (const batch of batches) events.push(...batch);
  return events;
}

/** Web Locks as far as the store uses them; Node has none. */
function fakeLocks() {
  const held = new Set<string>();
  return {
    async request(name: string, _options: object, run: (lock: object | null) => Promise<void> | undefined) {
      if (held.has(name)) return run(null);
      held.add(name);
      await run({ name });
      held.delete(name);
    },
    query: async () => ({ held: [...held].map((name) => ({ name })) }),
  };
}

test('a database that is deleted meanwhile takes what it had, and what comes later is kept and exported', async () => {
  const name = `test-${++databases}`;
  const { store, header, events } = await begun(createIndexedDbStore(name));
  await store.flush({ header, events: events.slice(0, 2), open: [] });
  await new Promise((done, failed) => {
    const request = indexedDB.deleteDatabase(name);
    request.onsuccess = done;
    request.onerror = failed;
  });
  const later = events.slice(2);
  expect((await exportLog(store, header.id, { header, open: later })).events).toEqual(later);
  await store.flush({ header, events: later, open: [] });
  expect((await store.list()).map(({ id }) => id)).toEqual([header.id]);
  await expect(exportLog(createMemoryStore(), header.id)).rejects.toThrow('There is no stored session');
});
