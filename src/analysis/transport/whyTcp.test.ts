import { describe, expect, test } from 'vitest';
import { exampleRequest } from '../../telemetry/exampleLog.testing.ts';
import type { TransportEvent } from '../../telemetry/event.ts';
import type { SessionEvent } from '../../telemetry/schema/sessionLog.ts';
import { exampleSession } from '../timeline/example.testing.ts';
import { seriesOf } from '../timeline/appendEvent.ts';
import { whyTcp } from './whyTcp.ts';

const request = (atMs: number, protocol: string, changes = {}): SessionEvent =>
  exampleRequest({ atMs, startMs: atMs, firstByteMs: atMs + 10, protocol, ...changes });
const race = (outcome: string, source: 'netlog' | 'devtools' = 'netlog'): SessionEvent =>
  ({
    ...{ kind: 'transport', id: 'x', atMs: 100, source, requestId: 'r1', connectionId: null, missing: {} },
    races: [{ outcome, mainDelayMs: null, startMs: 100, endMs: 120 }],
  }) as unknown as TransportEvent;
const why = (events: readonly SessionEvent[], mode: string | null = null) =>
  whyTcp(seriesOf(exampleSession(events)), mode);

describe('nothing is said', () => {
  test('where all media came over h3, and where no browser could use it', () => {
    expect(why([request(100, 'h3')])).toBeNull();
    expect(why([request(100, 'h2')], 'h2')).toBeNull();
    expect(why([request(100, 'http/1.1')])).toBeNull();
  });
});

describe('only causes that were recorded are named', () => {
  test('a page sees no races: before the first answer over h3, or not known', () => {
    expect(why([request(100, 'h2'), request(200, 'h3')])).toEqual([
      'before the first answer over h3, 1 request',
    ]);
    expect(why([request(100, 'h2'), request(200, 'h2')], 'h3-racing')).toEqual([
      'not known: a page sees no races',
    ]);
  });
  test('a NetLog names them, and DevTools is not counted beside it', () => {
    const events = [
      ...[request(100, 'h2'), race('main-alone'), race('main-won'), race('main-won')],
      ...[race('main-broken'), race('main-after-quic-failed'), race('alternative-won')],
      race('mainJobWonRace', 'devtools'),
    ];
    expect(why(events)).toEqual([
      'TCP won 2 races',
      'QUIC failed in 1 race',
      'QUIC marked broken, 1 request',
      'h3 not known, 1 request',
    ]);
  });
  test('DevTools alone, whose vague word says nothing', () => {
    const events = [request(100, 'h2'), race('mainJobWonRace', 'devtools')];
    expect(why(events)).toEqual(['TCP won 1 race']);
    expect(why([request(100, 'h2'), race('unspecifiedReason', 'devtools')])).toEqual([
      'not known: a page sees no races',
    ]);
  });
  test('a server without h3 that a policy chose', () => {
    expect(why([request(100, 'h2', { pathway: 'tcp' }), request(200, 'h3')])).toEqual([
      'pathway without h3, 1 request',
    ]);
  });
});
