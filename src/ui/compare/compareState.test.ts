import { expect, test } from 'vitest';
import { seriesOf } from '../../analysis/timeline/appendEvent.ts';
import { exampleLog } from '../../telemetry/exampleLog.testing.ts';
import { asLinked, comparisonOf, emptyState, linkOf, withoutSession } from './compareState.ts';
import type { OpenSession } from './openLogs.ts';

const session = (address: string | null): OpenSession =>
  ({ source: { name: 'x', address }, log: {} }) as unknown as OpenSession;
const open = (reference: number) => ({
  ...emptyState(),
  sessions: ['a', 'b', 'c'].map((name) => session(`${name}.json`)),
  reference,
  lists: ['all.txt'],
  chosen: 1,
});

test.each([
  [0, 2, 0],
  [2, 0, 1],
  [1, 1, 0],
])('reference %d, session %d closed: reference %d', (before, closed, after) => {
  const state = withoutSession(open(before), closed);
  expect([state.sessions.length, state.reference, state.chosen]).toEqual([2, after, null]);
});

test('a link names the list, and the logs one by one once one of them is closed', () => {
  expect(linkOf(open(1))).toBe('logs=all.txt&ref=B');
  expect(linkOf(withoutSession(open(1), 2))).toBe('log=a.json&log=b.json&ref=B');
});

test.each([
  ['the third of four, the second missing', 'C', ['a', 'c', 'd'], 1],
  ['the missing one', 'B', ['a', 'c', 'd'], 0],
  ['more than there are', 'T', ['a', 'b', 'c', 'd'], 0],
  ['none', null, ['b', 'c', 'd'], 0],
])('a link that names %s as its reference', (_, reference, opened, place) => {
  const sources = ['a', 'b', 'c', 'd'].map((name) => session(name).source);
  const sessions = sources
    .filter(({ address }) => opened.includes(address!))
    .map((source) => ({ ...session(null), source }));
  const link = { logs: [], lists: ['all.txt'], reference, alignment: 'playback', range: null } as const;
  const state = asLinked(link, { sources, sessions });
  expect(state.reference).toBe(place);
  // The letters of the list are no longer those of the sessions.
  expect(state.lists).toEqual(sessions.length === 4 ? ['all.txt'] : []);
});

test('no link reaches a file of the visitor', () =>
  expect(linkOf({ ...emptyState(), sessions: [session(null)] })).toBe('compare'));

test.each([
  ['transfers alone', ['objects', 'objects'], 'wall'],
  ['a transfer beside a player', ['objects', null], 'playback'],
])('the axis of %s', (_, transfers, alignment) => {
  const sessions = transfers.map((transfer) => {
    const log = exampleLog({ segments: 2 });
    const header = transfer === null ? log : { ...log, environment: { ...log.environment, transfer } };
    return { log: { header, series: seriesOf(header) } } as unknown as OpenSession;
  });
  const compared = comparisonOf(sessions, { reference: 0, chosen: null, alignment: 'playback' });
  expect(compared!.sessions.map(({ time }) => time.alignment)).toEqual([alignment, alignment]);
});
