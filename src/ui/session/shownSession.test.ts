import { expect, test } from 'vitest';
import type { SessionEvent } from '../../telemetry/schema/sessionLog.ts';
import { recentEvents } from './shownSession.ts';

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
