import { describe, expect, it } from 'vitest';
import type { RequestEvent, TransportEvent } from '../event.ts';
import { exampleLog, exampleRequest } from '../exampleLog.testing.ts';
import { sourceGaps } from './transportSources.ts';

const race = { mainDelayMs: null, startMs: 1, endMs: 2 };
const devTools = (value: string | null): TransportEvent => ({
  kind: 'transport',
  id: 'x1',
  atMs: 1,
  requestId: 'a',
  source: 'devtools',
  connectionId: null,
  races: value === null ? [] : [{ ...race, outcome: value }],
  missing: {},
});
const netLog = (...netErrors: (number | null)[]): TransportEvent => ({
  kind: 'transport',
  id: 'x2',
  atMs: 1,
  requestId: 'a',
  source: 'netlog',
  connectionId: null,
  races: netErrors.map((netError) => ({ ...race, outcome: 'main-alone', netError })),
  missing: {},
});
const request = (changes: Partial<RequestEvent>) => exampleRequest({ id: 'a', ...changes });
const failed = request({ outcome: 'network-error', status: null });
const ok = request({ outcome: 'ok', status: 206 });
const gapsOf = (events: (RequestEvent | TransportEvent)[], asked = { devTools: true }) => {
  const log = exampleLog({ segments: 0, extra: events });
  return sourceGaps({ events: log.events.filter(({ id }) => ['a', 'x1', 'x2'].includes(id)) }, asked);
};

describe('a request', () => {
  it.each([
    ['with both transport sources', [ok, devTools('broken'), netLog(null)], []],
    ['that failed and was restarted first', [failed, netLog(-356, -356)], []],
    ['that the cache answered', [ok, devTools(null), netLog()], []],
    ['given up before an answer', [request({ outcome: 'aborted', status: null })], []],
    ['still in flight', [request({ outcome: 'in-flight', status: null })], []],
    ['that failed before it raced', [failed, netLog()], ['the NetLog has no race of it']],
    ['nobody saw', [ok], ['the NetLog has no race of it', 'DevTools has no value of it']],
    ['DevTools missed', [ok, devTools(null), netLog(null)], ['DevTools has no value of it']],
    ['the NetLog missed', [ok, devTools('broken')], ['the NetLog has no race of it']],
    ['that failed without a word', [failed, netLog(-356, null)], ['the NetLog has no error of it']],
    [
      'given up after its headers',
      [request({ outcome: 'aborted', status: 200 }), netLog(-3)],
      ['DevTools has no value of it'],
    ],
  ])('%s', (_, events, gaps) =>
    expect(gapsOf(events)).toEqual(
      gaps.map((gap) => expect.stringMatching(new RegExp(`^request a .*${gap}$`))),
    ),
  );

  it('that DevTools was not asked about', () => {
    const asked = { devTools: false };
    expect(gapsOf([ok, netLog(null)], asked)).toEqual([]);
    expect(gapsOf([ok], asked)).toEqual([
      expect.stringMatching(/^request a .*the NetLog has no race of it$/),
    ]);
  });
});
