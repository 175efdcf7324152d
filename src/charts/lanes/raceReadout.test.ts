import { expect, test } from 'vitest';
import { exampleSession } from '../../analysis/timeline/example.testing.ts';
import { seriesOf } from '../../analysis/timeline/appendEvent.ts';
import type { TransportEvent } from '../../telemetry/event.ts';
import { formatRace } from './raceReadout.ts';

const raceOf = (outcome: string): TransportEvent => ({
  kind: 'transport',
  id: 't',
  atMs: 3000,
  requestId: null,
  source: 'netlog',
  races: [{ outcome, mainDelayMs: null, startMs: 3000, endMs: null }],
  connectionId: null,
  missing: { requestId: 'not-reported', connectionId: 'not-reported' },
});

test.each([
  [['dns-alpn-won'], 'h3 was known from DNS.'],
  [['alternativeJobWonRace', 'main-won'], 'h3 was known from Alt-Svc.'],
  [['dns-alpn-won', 'alternative-reused'], 'h3 was known from DNS and from Alt-Svc.'],
  [['main-alone'], null],
])('after %j the sentence says: %s', (outcomes, said) => {
  const sentence = formatRace(seriesOf(exampleSession(outcomes.map(raceOf))));
  if (said === null) expect(sentence).not.toContain('known from');
  else expect(sentence).toContain(said);
});
