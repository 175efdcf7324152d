import { expect, test } from 'vitest';
import { exampleRequest } from '../telemetry/exampleLog.testing.ts';
import type { SessionEvent } from '../telemetry/schema/sessionLog.ts';
import { createSessionFold, summarizeSession } from './sessionSummary.ts';
import { exampleSession, playback, rung, stalled } from './timeline/example.testing.ts';

const PLAYED = [playback(100, 'play-requested'), playback(600, 'playing'), rung(600, 1)];
const summaryOf = (events: readonly SessionEvent[]) => summarizeSession(exampleSession(events));
const media = (protocol: string | null, receivedBytes: number, pathway?: string) =>
  exampleRequest({
    protocol,
    receivedBytes,
    encodedBodyBytes: null,
    ...(pathway !== undefined && { pathway }),
  });
const failure = (source: 'player' | 'media' | 'telemetry'): SessionEvent => ({
  ...{ kind: 'error', id: 'e', atMs: 700, source, code: 'x', message: 'x', fatal: false, requestId: null },
  missing: { requestId: 'not-applicable' },
});

test('sums up what was played, where it came from, and what failed', () => {
  const summary = summaryOf([
    ...PLAYED,
    playback(2600, 'waiting'),
    stalled(2600, 1000),
    playback(3600, 'playing'),
    playback(5600, 'stopped'),
    media('h3', 600, 'fast'),
    media('h2', 300, 'slow'),
    media('http/1.1', 200, 'slow'),
    media(null, 5000),
    exampleRequest({ type: 'manifest', protocol: 'h3', receivedBytes: 77 }),
    ...[failure('player'), failure('media'), failure('telemetry')],
  ]);
  expect(summary).toMatchObject({ joinMs: 500, playedMs: 4000, stalledMs: 1000, stalls: 1, errors: 2 });
  expect(summary).toMatchObject({ h3Bytes: 600, tcpBytes: 500, pathway: 'fast' });
});

test.each<[string, SessionEvent[], object | null]>([
  ['nobody asked to play', [playback(50, 'paused')], null],
  ['it played before it was recorded', [playback(0, 'playing'), playback(100, 'play-requested')], null],
  [
    'it never started',
    [playback(100, 'play-requested'), playback(9000, 'stopped')],
    { joinMs: null, playedMs: 0 },
  ],
  ['it ends at once', [playback(100, 'play-requested')], { joinMs: null, playedMs: 0 }],
])('%s', (_, events, expected) => {
  const summary = summaryOf(events);
  if (expected === null) expect(summary).toBeNull();
  else expect(summary).toMatchObject(expected);
});

test('an open session counts up to now, with the stall that nobody saw end', () => {
  const { events, ...header } = exampleSession([...PLAYED, playback(2600, 'waiting')]);
  const fold = createSessionFold();
  for (const event of events) fold.add(event);
  const open = { ...header, parts: [{ ...header.parts[0]!, endMs: null }] };
  const now = { open: [stalled(2600, null)], nowMs: 4600 };
  expect(fold.summarize(open, now)).toMatchObject({ playedMs: 2000, stalledMs: 2000, stalls: 1 });
  // What was open is not kept.
  expect(fold.summarize(open, { nowMs: 2600 })).toMatchObject({ playedMs: 2000, stalledMs: 0 });
});
