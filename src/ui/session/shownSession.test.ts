import { expect, test, vi } from 'vitest';
import { exampleLog } from '../../telemetry/exampleLog.testing.ts';
import type { SessionEvent } from '../../telemetry/schema/sessionLog.ts';
import { createMemoryStore } from '../../telemetry/shell/store/memoryStore.ts';
import type { Telemetry } from '../../telemetry/shell/telemetry.ts';
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
    const session = liveSession(telemetry, store, new Promise(() => {}));
    for (const listener of listeners) listener({ ...event(kind, 'e1'), code: 'storage' } as SessionEvent);
    session.finish();
    const text = await (await session.file('session')).text();
    expect((JSON.parse(text) as { events: unknown[] }).events).toHaveLength(events.length);
  },
);
