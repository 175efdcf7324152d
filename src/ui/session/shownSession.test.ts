import { expect, test, vi } from 'vitest';
import { exampleLog, exampleRequest } from '../../telemetry/exampleLog.testing.ts';
import type { SessionEvent } from '../../telemetry/schema/sessionLog.ts';
import { createMemoryStore } from '../../telemetry/shell/store/memoryStore.ts';
import type { Telemetry } from '../../telemetry/shell/telemetry.ts';
import { createDiagnostics } from '../../analysis/diagnostics/diagnostics.ts';
import { openedSession } from './openedSession.ts';
import { liveSession, recentEvents } from './shownSession.ts';

vi.stubGlobal('reportError', console.error);

const event = (kind: string, id: string) => ({ kind, id }) as SessionEvent;

test('keeps the newest decisions and requests only', () => {
  const recent = recentEvents(2);
  for (const [kind, id] of [
    ['decision', 'd1'],
    ['buffer', 'b1'],
    ['request', 'r1'],
    ['decision', 'd2'],
  ] as const)
    recent.add(event(kind, id));
  expect(['d1', 'b1', 'r1', 'd2'].map((id) => recent.find(id)?.id ?? null)).toEqual([null, null, 'r1', 'd2']);
});

test.each([
  [true, 'error'],
  [false, 'buffer'],
] as const)(
  'a finished session that the browser refused to store (%s) is saved whole',
  async (isRefused, kind) => {
    const { events, ...header } = exampleLog();
    const store = createMemoryStore();
    await store.begin(header);
    await store.flush({ header, events: isRefused ? events.slice(0, 2) : events, open: [] });
    const listeners: ((event: SessionEvent) => void)[] = [];
    const telemetry = {
      sessionId: header.id,
      header: () => header,
      openEvents: () => [],
      subscribe: (listener: (event: SessionEvent) => void) => listeners.push(listener),
      exportLog: () => Promise.resolve({ ...header, events }),
    } as unknown as Telemetry;
    const session = liveSession(telemetry, store, {
      calm: new Promise(() => {}),
      loadViews: () => Promise.reject(new Error('not asked for before the first frame')),
    });
    for (const listener of listeners) listener({ ...event(kind, 'e1'), code: 'storage' } as SessionEvent);
    session.finish();
    const text = await (await session.file('session')).text();
    expect((JSON.parse(text) as { events: unknown[] }).events).toHaveLength(events.length);
  },
);

/** A live session whose log is the example: one half recorded before, the other while it listens. */
function halfRecorded(loadViews: () => Promise<{ createDiagnostics: typeof createDiagnostics }>) {
  const failed = { outcome: 'network-error', status: null, protocol: null, durationMs: 4000 } as const;
  const log = exampleLog({ extra: [exampleRequest({ id: 'f1', atMs: 7000, segment: 3, ...failed })] });
  const { events, ...header } = log;
  const half = Math.floor(events.length / 2);
  const listeners: ((event: SessionEvent) => void)[] = [];
  const telemetry = {
    sessionId: header.id,
    header: () => header,
    openEvents: () => [],
    subscribe: (listener: (event: SessionEvent) => void) => listeners.push(listener),
    exportLog: () => Promise.resolve({ ...header, events: events.slice(0, half) }),
  } as unknown as Telemetry;
  let becomeCalm = (): void => undefined;
  const calm = new Promise<void>((resolve) => (becomeCalm = resolve));
  const session = liveSession(telemetry, createMemoryStore(), { calm, loadViews });
  for (const event of events.slice(half)) for (const listener of listeners) listener(event);
  return { log, session, becomeCalm };
}

test('diagnostics are loaded after the first frame, and say what those of the whole log say', async () => {
  const { log, session, becomeCalm } = halfRecorded(() => Promise.resolve({ createDiagnostics }));
  expect(session.diagnostics()).toBeNull();
  becomeCalm();
  await vi.waitFor(() =>
    expect(session.series.ids).toHaveLength(openedSession(log, 'log').series.ids.length),
  );
  const whole = openedSession(log, 'log').diagnostics()!.findings();
  expect(whole.length).toBeGreaterThan(0);
  expect(session.diagnostics()!.findings()).toEqual(whole);
});

test('series do not wait for diagnostics, which then say the same', async () => {
  let load = (_: { createDiagnostics: typeof createDiagnostics }): void => undefined;
  const { log, session, becomeCalm } = halfRecorded(() => new Promise((resolve) => (load = resolve)));
  becomeCalm();
  const opened = openedSession(log, 'log');
  await vi.waitFor(() => expect(session.series.ids).toHaveLength(opened.series.ids.length));
  expect(session.diagnostics()).toBeNull();
  load({ createDiagnostics });
  await vi.waitFor(() => expect(session.diagnostics()?.findings()).toEqual(opened.diagnostics()!.findings()));
});

test('where diagnostics cannot be loaded, the rest of the session is shown', async () => {
  const { log, session, becomeCalm } = halfRecorded(() => Promise.reject(new Error('offline')));
  becomeCalm();
  await vi.waitFor(() =>
    expect(session.series.ids).toHaveLength(openedSession(log, 'log').series.ids.length),
  );
  expect(session.diagnostics()).toBeNull();
});
