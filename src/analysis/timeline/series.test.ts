import { describe, expect, test } from 'vitest';
import { exampleDecision, exampleLog, exampleRequest } from '../../telemetry/exampleLog.testing.ts';
import type { SessionEvent } from '../../telemetry/schema/sessionLog.ts';
import { ABORTED, AUDIO, OTHER, VIDEO } from './columns.ts';
import { exampleSession, framesSeen, level, playback, rung, stalled } from './example.testing.ts';
import { protocolFrom } from '../transport/protocol.ts';
import { createSeries } from './series.ts';
import { advanceTo, appendEvent, seriesOf, setOpenEvents } from './appendEvent.ts';
import { stallsUntil } from './spans.ts';
import { valueAt } from './table.ts';

const EVENTS: readonly SessionEvent[] = [
  playback(10, 'playing'),
  rung(20, 1),
  level(30, 500),
  framesSeen(40, 30, 1),
  stalled(50, 100),
  exampleRequest({ id: 'r9', atMs: 60 }),
  exampleDecision({ id: 'd9', atMs: 55 }),
];

describe('a series', () => {
  test('is the same from a file as from a live session, whatever order the events came in', () => {
    const log = exampleSession(EVENTS);
    const live = createSeries(log.parts);
    for (const event of log.events) appendEvent(live, event);
    expect({ ...live, ids: [], touchedFromMs: 0 }).toEqual({
      ...seriesOf(log),
      ids: [],
      touchedFromMs: 0,
      // Only the indexes of ids depend on the order.
      requests: { ...live.requests },
      decisions: { ...live.decisions },
    });
    const atMs = (series: typeof live) => [
      ...series.requests.columns.atMs.subarray(0, series.requests.length),
    ];
    expect(atMs(live)).toEqual(atMs(seriesOf(log)));
  });
  test('a request’s row says what the event says, NaN for null, and leads back to it', () => {
    const event = exampleRequest({
      id: 'r7',
      mediaType: 'audio',
      protocol: 'h2',
      outcome: 'aborted',
      receivedBytes: null,
      lastByteMs: null,
      endMs: 900,
      missing: { receivedBytes: 'failed', lastByteMs: 'failed' },
    });
    const series = createSeries();
    appendEvent(series, event);
    const { columns } = series.requests;
    expect(columns.lane[0]).toBe(AUDIO);
    expect(protocolFrom(columns.protocol[0]!)).toBe('h2');
    expect(columns.outcome[0]).toBe(ABORTED);
    expect(valueAt(columns.sizeBytes, 0)).toBeNull();
    expect(columns.endMs[0]).toBe(900);
    expect(columns.atMs[0]).toBe(event.startMs);
    expect(series.ids[columns.ref[0]!]).toBe('r7');
    expect(series.longestRequestMs).toBe(900 - event.startMs!);
  });
  test.each([
    ['media', 'video', VIDEO],
    ['media', 'audio', AUDIO],
    ['media', 'text', OTHER],
    ['init', 'video', OTHER],
    ['manifest', null, OTHER],
  ] as const)('%s of %s takes lane %d', (type, mediaType, lane) => {
    const series = createSeries();
    appendEvent(series, exampleRequest({ type, mediaType }));
    expect(series.requests.columns.lane[0]).toBe(lane);
  });
  test('a decision keeps its votes in order', () => {
    const series = createSeries();
    const vote = (rule: string, at: number | null) => ({ rule, rung: at, because: '', asked: at !== null });
    appendEvent(series, exampleDecision({ votes: [vote('A', 1)] }));
    appendEvent(series, exampleDecision({ rule: 'B', votes: [vote('B', 2), vote('A', null)] }));
    const { firstVote, voteCount, rule } = series.decisions.columns;
    expect([firstVote[1], voteCount[1]]).toEqual([1, 2]);
    expect(series.rules[rule[1]!]).toBe('B');
    const names = [...series.votes.columns.rule.subarray(0, 3)].map((code) => series.rules[code]);
    expect(names).toEqual(['A', 'B', 'A']);
    expect([...series.votes.columns.asked.subarray(0, 3)]).toEqual([1, 1, 0]);
    expect(valueAt(series.votes.columns.rung, 2)).toBeNull();
  });
  test('the same ladder twice is one, another one follows it', () => {
    const ladder = exampleLog().events.find((event) => event.kind === 'ladder')!;
    const series = createSeries();
    appendEvent(series, ladder);
    appendEvent(series, { ...ladder, atMs: 9000 });
    expect(series.ladders).toHaveLength(1);
    appendEvent(series, { ...ladder, atMs: 9500, rungs: ladder.rungs.slice(1) });
    expect(series.ladders.map(({ fromMs }) => fromMs)).toEqual([70, 9500]);
  });
  test('frames count on after a reload, where the element begins at 0', () => {
    const series = createSeries();
    for (const event of [framesSeen(1, 100, 2), framesSeen(2, 150, 3), framesSeen(3, 40, 1)])
      appendEvent(series, event);
    expect(series.frames).toMatchObject({ decoded: 190, dropped: 4 });
  });
  test('a stall that goes on counts up to now', () => {
    const series = createSeries();
    setOpenEvents(series, [stalled(1000, null)]);
    advanceTo(series, 3500);
    expect(stallsUntil(series, 9000)).toEqual([{ fromMs: 1000, toMs: 3500 }]);
    expect(stallsUntil(series, 2000)).toEqual([{ fromMs: 1000, toMs: 2000 }]);
    setOpenEvents(series, []);
    expect(stallsUntil(series, 9000)).toEqual([]);
  });
  test('a broken period that goes on is one, and ends with its event', () => {
    const series = createSeries();
    const broken = (endMs: number | null): SessionEvent => ({
      kind: 'transport',
      id: 'x1',
      atMs: 300,
      source: 'netlog',
      requestId: null,
      connectionId: null,
      races: [{ outcome: 'broken', mainDelayMs: null, startMs: 300, endMs, cause: 'QUIC_TOO_MANY_RTOS' }],
      missing: { requestId: 'not-applicable', connectionId: 'not-applicable' },
    });
    const period = { id: 'x1', fromMs: 300, cause: 'QUIC_TOO_MANY_RTOS' };
    for (let second = 0; second < 3; second += 1) setOpenEvents(series, [broken(null)]);
    expect(series.broken).toEqual([{ ...period, toMs: null }]);
    appendEvent(series, broken(5300));
    setOpenEvents(series, []);
    expect(series.broken).toEqual([{ ...period, toMs: 5300 }]);
  });
  test('says from when on it changed', () => {
    const series = createSeries();
    expect(series.touchedFromMs).toBe(Infinity);
    appendEvent(series, level(500, 1));
    appendEvent(series, level(800, 1));
    expect(series.touchedFromMs).toBe(500);
  });
  test('the 257th rule of a hostile file shares a code', () => {
    const series = createSeries();
    for (let index = 0; index < 300; index += 1)
      appendEvent(series, exampleDecision({ rule: `r${index}`, votes: [] }));
    expect(series.rules).toHaveLength(256);
    expect(series.decisions.columns.rule[299]).toBe(255);
  });
});

describe('old buffer samples', () => {
  const HOUR_MS = 3_600_000;
  const series = createSeries();
  for (let atMs = 0; atMs < HOUR_MS; atMs += 250)
    appendEvent(series, level(atMs, atMs % 60_000 === 30_000 ? 1 : 10_000 + (atMs % 1000)));
  const { columns, length } = series.buffer.video;
  test('are thinned to two a second, recent ones are whole', () => {
    expect(length).toBeLessThan((HOUR_MS / 1000) * 2 + 4 * 600 + 2048 * 2);
    const recent = [...columns.atMs.subarray(0, length)].filter((atMs) => atMs >= HOUR_MS - 600_000);
    expect(recent).toHaveLength(4 * 600);
  });
  test('keep every trough: a short low is what people look for', () => {
    const troughs = [...columns.levelMs.subarray(0, length)].filter((ms) => ms === 1);
    expect(troughs).toHaveLength(60);
  });
  test('stay in time order', () => {
    const times = [...columns.atMs.subarray(0, length)];
    expect(times).toEqual([...times].sort((a, b) => a - b));
  });
});
