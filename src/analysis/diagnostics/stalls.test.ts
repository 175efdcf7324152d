import { describe, expect, test } from 'vitest';
import { exampleLog, exampleRequest } from '../../telemetry/exampleLog.testing.ts';
import type { RequestEvent, StallEvent } from '../../telemetry/event.ts';
import type { SessionEvent } from '../../telemetry/schema/sessionLog.ts';
import { createDiagnostics, formatFinding } from './diagnostics.ts';

const took = (tookMs: number): Partial<RequestEvent> => ({ endMs: 1000 + tookMs });
const request = (atMs: number, changes: Partial<RequestEvent>): RequestEvent =>
  exampleRequest({ id: 'r9', atMs, ...changes });
const stall = (atMs: number, durationMs: number): StallEvent => ({
  kind: 'stall',
  id: 's1',
  atMs,
  playheadMs: atMs,
  durationMs,
  missing: {},
});

function texts(events: readonly SessionEvent[]): string[] {
  const found = createDiagnostics(exampleLog());
  for (const event of events) found.append(event);
  return found.findings().map(formatFinding);
}

describe('a stall that waited for the first byte', () => {
  // Asked at 1 s, 6 s without a byte, then 500 kB in 2 s: 2 Mbit/s, of which 1 Mbit/s plays.
  const waited = { ...took(8000), protocol: 'h2', firstByteMs: 7000 };
  const late = request(1000, { ...waited, receivedBytes: 500_000, mediaDurationMs: 4000 });
  const loss = (changes: object): SessionEvent => ({
    kind: 'transport',
    id: 'x1',
    atMs: 1000,
    requestId: late.id,
    source: 'netlog',
    missing: {},
    connectionId: '176',
    races: [race({ ...changes, netError: -356 }), race({ startMs: 6900 })],
  });
  const race = (changes: object) => ({
    outcome: 'main-alone',
    mainDelayMs: null,
    startMs: 1000,
    endMs: 1001,
    connectionId: '176',
    ...changes,
  });
  const WAITED =
    'it took 8.0 s over h2: 6.0 s until the first byte, then 2.00 Mbit/s, and playing it takes 1.00 Mbit/s';
  test('wait and rate apart, and no rate that was never there', () =>
    expect(texts([late, stall(3000, 5000)]).join()).toMatch(new RegExp(`${WAITED}\\.$`)));
  test.each([
    ['alternative-reused', 'QUIC'],
    ['main-won', 'TCP'],
  ])('with the connection that died, by %s', (outcome, name) => {
    const text = `${WAITED}. The ${name} connection that it was sent over first died (net error -356).`;
    expect(texts([late, stall(3000, 5000), loss({ outcome })])[0]).toContain(text);
    expect(texts([stall(3000, 5000), late, loss({ outcome })])[0]).toContain(text);
  });
});

test('a stall without a request in flight names the failure before it', () => {
  const failed = request(1000, {
    ...took(50),
    outcome: 'http-error',
    status: 404,
    mediaType: 'video',
    rung: 1,
  });
  const alone = 'Playback stalled for 0.5 s; no media request was in flight then';
  const after = `${alone}: the last one before, a video request of level 2, got HTTP 404.`;
  expect(texts([failed, stall(1200, 500)])).toContain(after);
  expect(texts([failed, request(1100, { ...took(150) }), stall(1200, 500)])).toContain(`${alone}.`);
});
