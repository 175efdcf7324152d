import { expect, test, vi } from 'vitest';
import { eventsOf, oncePerLog } from './log.ts';
import { exampleLog } from '../../telemetry/exampleLog.testing.ts';

test('works a thing out once for each log, and anew for one that has grown or is another', () => {
  const count = vi.fn(({ events }: ReturnType<typeof exampleLog>) => events.length);
  const once = oncePerLog(count);
  const log = { ...exampleLog(), events: [...exampleLog().events] };
  expect([once(log), once(log)]).toEqual([log.events.length, log.events.length]);
  expect(count).toHaveBeenCalledTimes(1);
  log.events.push(log.events[0]!);
  expect(once(log)).toBe(log.events.length);
  expect(once({ ...log, parts: [] })).toBe(log.events.length);
  expect(count).toHaveBeenCalledTimes(3);
});

test('events by kind are those of the log in its order', () => {
  const log = exampleLog();
  for (const kind of new Set(log.events.map((event) => event.kind)))
    expect(eventsOf(log, kind)).toEqual(log.events.filter((event) => event.kind === kind));
});
