import { expect, test } from 'vitest';
import { exampleLog, exampleRequest } from '../../telemetry/exampleLog.testing.ts';
import type { SessionEvent } from '../../telemetry/schema/sessionLog.ts';
import { raceTally } from './races.ts';

const request = (id: string, atMs: number, protocol: string) =>
  exampleRequest({ id, protocol, atMs, startMs: atMs, firstByteMs: atMs + 20 });
const raced = (requestId: string, ...outcomes: string[]): SessionEvent => ({
  kind: 'transport',
  id: `x-${requestId}`,
  atMs: 5,
  requestId,
  source: 'netlog',
  races: outcomes.map((outcome) => ({ outcome, mainDelayMs: null, startMs: 5, endMs: null })),
  connectionId: '1',
  missing: {},
});
const NOTHING_YET = exampleLog({ segments: 0 });
const tally = (...events: SessionEvent[]) =>
  raceTally({ ...NOTHING_YET, events: [...NOTHING_YET.events.slice(1), ...events] });

test('requests before the first h3 response are discovery, also while that one is on its way', () => {
  const requests = [
    request('a', 100, 'h2'),
    request('b', 200, 'h3'),
    request('c', 210, 'h2'),
    request('d', 300, 'h3'),
  ];
  const races = [
    raced('a', 'main-alone'),
    raced('b', 'alternative-won'),
    raced('c', 'main-won'),
    raced('d', 'main-won'),
  ];
  expect(tally(...requests, ...races)).toEqual([
    { outcome: 'main-alone', discovery: 1, later: 0 },
    { outcome: 'alternative-won', discovery: 1, later: 0 },
    { outcome: 'main-won', discovery: 1, later: 1 },
  ]);
});

test('after a visit that used h3 nothing is discovery, after one that did not it is as ever', () => {
  const { environment, events } = NOTHING_YET;
  const own = [request('a', 100, 'h2'), request('b', 200, 'h3'), raced('a', 'main-won')];
  const discovery = (protocols: string[]): number | undefined => {
    const visit = { startedAtUnixMs: 1000, endedAtUnixMs: 4000, protocols };
    const log = {
      ...NOTHING_YET,
      events: [...events.slice(1), ...own],
      environment: { ...environment, visit },
    };
    return raceTally(log)[0]?.discovery;
  };
  expect(discovery(['h2', 'h3'])).toBe(0);
  expect(discovery(['h2'])).toBe(1);
});

test('a restarted request counts each of its races', () =>
  expect(
    tally(request('a', 100, 'h3'), request('b', 500, 'h2'), raced('b', 'alternative-reused', 'main-alone')),
  ).toEqual([
    { outcome: 'alternative-reused', discovery: 0, later: 1 },
    { outcome: 'main-alone', discovery: 0, later: 1 },
  ]));

test('where h3 never came nothing was discovered', () =>
  expect(tally(request('a', 100, 'h2'), raced('a', 'main-alone'))).toEqual([
    { outcome: 'main-alone', discovery: 0, later: 1 },
  ]));

test('a draft of h3 is h3: discovery ends with its first response, as in every other count', () =>
  expect(tally(request('a', 100, 'h3-29'), request('b', 500, 'h2'), raced('b', 'main-won'))).toEqual([
    { outcome: 'main-won', discovery: 0, later: 1 },
  ]));
