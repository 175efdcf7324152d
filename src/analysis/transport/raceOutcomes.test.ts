import { expect, test } from 'vitest';
import { CONSISTENT_TRIPLES } from '../../telemetry/join/transportSources.ts';
import { RACED } from '../../telemetry/netlog/foldCauses.ts';
import { RACE_OUTCOMES } from '../../telemetry/netlog/netLogFacts.ts';
import { exampleSession } from '../timeline/example.testing.ts';
import { seriesOf } from '../timeline/appendEvent.ts';
import type { TransportEvent } from '../../telemetry/event.ts';
import { raceCounts, raceWinner, wasRaced } from './raceOutcomes.ts';

test('every outcome of a NetLog that ended names a winner', () => {
  expect(RACE_OUTCOMES.filter((outcome) => raceWinner(outcome) === null)).toEqual([
    'cancelled',
    'unfinished',
    'unknown',
  ]);
});

test('both words of a consistent pair name the same winner, where DevTools names one', () => {
  for (const { devTools, netLog } of CONSISTENT_TRIPLES)
    if (devTools !== 'unspecifiedReason' && devTools !== 'mappingMissing')
      expect([devTools, raceWinner(devTools)]).toEqual([devTools, raceWinner(netLog)]);
});

test('the reader of a NetLog looks for the cause of each race that somebody won', () => {
  const won = RACE_OUTCOMES.filter((outcome) => wasRaced(outcome) && raceWinner(outcome) !== 'nobody');
  expect([...RACED].sort()).toEqual(won.sort());
});

test('an unknown word names nobody', () => expect(raceWinner('somethingNew')).toBeNull());

/**
 * DevTools has one value for most ways to end up on TCP, raced or not, and one for QUIC whether a session was there, 0-RTT
 * won at once or a preconnect had begun the handshake.
 */
const VAGUE = ['unspecifiedReason', 'alternativeJobWonWithoutRace', 'dnsAlpnH3JobWonWithoutRace'];

test.each(CONSISTENT_TRIPLES)(
  '$devTools and $netLog say the same, as far as DevTools says',
  ({ devTools, netLog }) => {
    if (VAGUE.includes(devTools)) expect(wasRaced(devTools)).toBe(false);
    else expect(wasRaced(devTools)).toBe(wasRaced(netLog));
  },
);

test.each([
  ['main-won', true],
  ['failed', true],
  ['alternative-reused', false],
  ['main-broken', false],
  ['cancelled', false],
  ['an outcome of browsers to come', false],
])('%s: %s', (outcome, expected) => expect(wasRaced(outcome)).toBe(expected));

type Race = Pick<TransportEvent['races'][number], 'outcome' | 'netError'>;
const raced = (
  startMs: number,
  source: TransportEvent['source'],
  races: readonly Race[],
): TransportEvent => ({
  kind: 'transport',
  id: `x${startMs}${source}`,
  atMs: startMs,
  requestId: null,
  source,
  races: races.map((race) => ({ mainDelayMs: null, startMs, endMs: null, ...race })),
  connectionId: null,
  missing: { requestId: 'not-reported', connectionId: 'not-reported' },
});
const count = (events: readonly TransportEvent[], fromMs = 0, toMs = 10_000) =>
  raceCounts(seriesOf(exampleSession(events)), { fromMs, toMs });

const RESTARTED = raced(1000, 'netlog', [
  { outcome: 'alternative-reused', netError: -356 },
  { outcome: 'main-won', netError: null },
]);

test('a restarted request counts both of its races, and the one that died', () =>
  expect(count([RESTARTED])).toEqual({ quic: 1, tcp: 1, died: 1 }));

test('a request that the page gave up did not die', () =>
  expect(count([raced(1000, 'netlog', [{ outcome: 'main-alone', netError: -3 }])])).toEqual({
    quic: 0,
    tcp: 1,
    died: 0,
  }));

test('the stretch holds its begin and not its end', () => {
  expect(count([RESTARTED], 1000, 1001).quic).toBe(1);
  expect(count([RESTARTED], 0, 1000).quic).toBe(0);
});

test('DevTools is counted only where there is no NetLog', () => {
  const devTools = raced(2000, 'devtools', [{ outcome: 'mainJobWonRace' }]);
  expect(count([devTools]).tcp).toBe(1);
  expect(count([devTools, RESTARTED])).toEqual({ quic: 1, tcp: 1, died: 1 });
});
