import { expect, test } from 'vitest';
import { CONSISTENT_PAIRS } from '../telemetry/join/transportSources.ts';
import { RACE_OUTCOMES } from '../telemetry/netlog/netLogFacts.ts';
import { raceWinner } from './raceWinner.ts';

test('every outcome of a NetLog that ended names a winner', () => {
  expect(RACE_OUTCOMES.filter((outcome) => raceWinner(outcome) === null)).toEqual([
    'cancelled',
    'unfinished',
  ]);
});

test('both words of a consistent pair name the same winner, where DevTools names one', () => {
  for (const { devTools, netLog } of CONSISTENT_PAIRS)
    if (devTools !== 'unspecifiedReason' && devTools !== 'mappingMissing')
      expect([devTools, raceWinner(devTools)]).toEqual([devTools, raceWinner(netLog)]);
});

test('an unknown word names nobody', () => expect(raceWinner('somethingNew')).toBeNull());
