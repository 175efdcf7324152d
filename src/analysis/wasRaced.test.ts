import { expect, test } from 'vitest';
import { CONSISTENT_PAIRS } from '../telemetry/join/transportSources.ts';
import { wasRaced } from './wasRaced.ts';

/**
 * DevTools has one value for most ways to end up on TCP, raced or not, and one for QUIC whether a session was there or 0-RTT
 * won at once.
 */
const VAGUE = ['unspecifiedReason', 'alternativeJobWonWithoutRace'];

test.each(CONSISTENT_PAIRS)(
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
