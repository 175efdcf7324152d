import { expect, test } from 'vitest';
import type { TransportEvent } from '../telemetry/event.ts';
import { exampleSession } from './exampleEvents.ts';
import { raceCounts } from './raceCounts.ts';
import { seriesOf } from './series.ts';

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
