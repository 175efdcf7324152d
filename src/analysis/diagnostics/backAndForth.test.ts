import { describe, expect, test } from 'vitest';
import { exampleDecision } from '../../telemetry/exampleLog.testing.ts';
import type { SessionEvent } from '../../telemetry/schema/sessionLog.ts';
import { backAndForth } from './backAndForth.ts';
import type { SessionFacts } from './finding.ts';

function found(events: readonly SessionEvent[]) {
  const watch = backAndForth.watch({} as SessionFacts);
  for (const event of events) watch.see(event);
  return watch.findings([]).map(({ sentence, atMs }) => ({ sentence, atMs }));
}

describe('switches back and forth', () => {
  const decided = (atMs: number, fromRung: number, rung: number): SessionEvent =>
    exampleDecision({ atMs, fromRung, rung });
  const times = <T>(count: number, make: (index: number) => T): T[] =>
    Array.from({ length: count }, (_, index) => make(index));
  const flips = (count: number, everyMs: number): SessionEvent[] =>
    times(count, (index) => decided(1000 + index * everyMs, index % 2 ? 0 : 7, index % 2 ? 7 : 0));
  test('are counted where they are many in 10 s', () =>
    expect(found(flips(12, 50))).toEqual([
      { sentence: 'The rule switched back and forth 11 times within 10 s', atMs: 1050 },
    ]));
  test.each([
    ['slower', flips(12, 4000)],
    ['one way', times(7, (index) => decided(1000 + index * 50, index, index + 1))],
    ['few', flips(4, 50)],
    ['of sound', flips(12, 50).map((event) => ({ ...event, mediaType: 'audio' }) as SessionEvent)],
  ])('are none: %s', (_name, events) => expect(found(events)).toEqual([]));
});
