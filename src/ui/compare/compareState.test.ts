import { describe, expect, test } from 'vitest';
import { seriesOf } from '../../analysis/timeline/appendEvent.ts';
import { exampleLog } from '../../telemetry/exampleLog.testing.ts';
import {
  asLinked,
  comparisonOf,
  type CompareState,
  emptyState,
  linkOf,
  withoutSession,
} from './compareState.ts';
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
  const link = {
    logs: [],
    lists: ['all.txt'],
    reference,
    view: null,
    alignment: 'playback',
    range: null,
  } as const;
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
  const compared = comparisonOf(sessions, emptyState());
  expect(compared!.sessions.map(({ time }) => time.alignment)).toEqual([alignment, alignment]);
});

describe('sessions of a campaign', () => {
  const design = { campaign: 'c', cell: '', order: 0, seed: 1, repeat: 0 };
  const campaign = (pairs: number): OpenSession[] =>
    Array.from({ length: 2 * pairs }, (_, place) => {
      const arm = place % 2 === 0 ? ('h2' as const) : ('h3-only' as const);
      const log = exampleLog({ segments: 2 });
      const header = {
        ...log,
        id: `s${place}`,
        environment: { ...log.environment, transport: arm },
        design: { ...design, arm: `bola/${arm}`, pair: `wifi/bbb/${place >> 1}/1` },
      };
      return { log: { header, series: seriesOf(header) } } as unknown as OpenSession;
    });
  const shown = (pairs: number, changes: Partial<CompareState> = {}) =>
    comparisonOf(campaign(pairs), { ...emptyState(), ...changes })!;
  const letters = ({ sessions }: ReturnType<typeof shown>): string[] =>
    sessions.map(({ look }) => look.letter);

  test('more than six are shown by arm, and named by arm and pair', () => {
    const compared = shown(4);
    expect(compared.arms.map(({ name, look, sessions }) => [name, look.letter, sessions.length])).toEqual([
      ['h2', 'A', 4],
      ['h3-only', 'B', 4],
    ]);
    expect(letters(compared)).toEqual(['A1', 'B1', 'A2', 'B2', 'A3', 'B3', 'A4', 'B4']);
  });
  test('fewer are shown one by one, unless arms are chosen, and can be', () => {
    expect(shown(3).arms).toEqual([]);
    expect(shown(3, { view: 'arms' }).arms).toHaveLength(2);
    expect(shown(2, { view: 'arms' }).arms).toEqual([]);
  });
  test('arms are by wall time, sessions by playback time, unless another one is chosen', () => {
    const alignments = [
      shown(4),
      shown(3),
      shown(4, { alignment: 'playback' }),
      shown(3, { alignment: 'wall' }),
    ];
    expect(alignments.map(({ sessions }) => sessions[0]!.time.alignment)).toEqual([
      ...['wall', 'playback', 'playback', 'wall'],
    ]);
  });
  test('one by one, the first twenty are shown, whatever is the reference', () => {
    const compared = shown(12, { view: 'sessions', reference: 22, chosen: 23 });
    expect(letters(compared).join('')).toBe('ABCDEFGHIJKLMNOPQRST');
    expect([compared.reference, compared.chosen]).toEqual([compared.sessions[0], null]);
    expect(letters(shown(12, { reference: 22 }))).toHaveLength(24);
  });
});
