import { describe, expect, test } from 'vitest';
import { advanceTo, appendEvent, setOpenEvents } from '../../analysis/timeline/appendEvent.ts';
import { createSeries, type SessionSeries } from '../../analysis/timeline/series.ts';
import type { RequestEvent } from '../../telemetry/event.ts';
import type { SessionEvent } from '../../telemetry/schema/sessionLog.ts';
import { exampleRequest } from '../../telemetry/exampleLog.testing.ts';
import { formatTrouble } from './trouble.ts';

const stall = (atMs: number, durationMs: number | null): SessionEvent => ({
  kind: 'stall',
  id: `s${atMs}`,
  atMs,
  playheadMs: 0,
  durationMs,
  missing: durationMs === null ? { durationMs: 'in-flight' } : {},
});
/** Times at which the browser measured nothing are those of the player. */
const UNTIMED = {
  startMs: null,
  fetchStartMs: null,
  requestStartMs: null,
  firstByteMs: null,
  lastByteMs: null,
};
const request = (atMs: number, changes: Partial<RequestEvent>): RequestEvent =>
  exampleRequest({ id: `r${atMs}`, atMs, ...UNTIMED, endMs: atMs + 100, ...changes });
const failure = (atMs: number): RequestEvent =>
  request(atMs, { outcome: 'network-error', status: null, protocol: null });

function seriesAt(
  nowMs: number,
  events: readonly SessionEvent[],
  open: readonly SessionEvent[] = [],
): SessionSeries {
  const series = createSeries();
  for (const event of events) appendEvent(series, event);
  setOpenEvents(series, open);
  advanceTo(series, nowMs);
  return series;
}
const said = (...of: Parameters<typeof seriesAt>): string | null => formatTrouble(seriesAt(...of));

describe('a stall', () => {
  const wanted = request(2000, { outcome: 'in-flight', status: null, endMs: null, rung: 7 });
  test('names its seconds and the request that playback waits for', () =>
    expect(said(24_000, [request(1000, { protocol: 'h2' })], [stall(20_800, null), wanted])).toBe(
      'Stalled for 3.2 s. Waiting for video level 8, requested 22 s ago, latest protocol h2.',
    ));
  test('without a request on its way', () =>
    expect(said(3000, [], [stall(1000, null)])).toBe('Stalled for 2.0 s. No media request is on its way.'));
  test('is none before it is as long as one', () => expect(said(1050, [], [stall(1000, null)])).toBeNull());
  test('is named for some seconds after its end', () => {
    expect(said(5000, [stall(1000, 1500)])).toBe('It stalled for 1.5 s and plays again.');
    expect(said(6600, [stall(1000, 1500)])).toBeNull();
  });
});

describe('requests that fail', () => {
  const buffer: SessionEvent = {
    kind: 'buffer',
    id: 'b1',
    atMs: 9000,
    mediaType: 'video',
    levelMs: 7300,
    missing: {},
  } as SessionEvent;
  test('for some seconds are named, with what the buffer has', () =>
    expect(said(10_000, [request(1000, {}), failure(2000), failure(6000), buffer])).toBe(
      'No segment has come for 7.9 s: 2 failures. The buffer lasts 7.3 s.',
    ));
  test('are no trouble at once, after a success, or long ago', () => {
    expect(said(4000, [failure(2000)])).toBeNull();
    expect(said(10_000, [failure(2000), request(6000, {})])).toBeNull();
    expect(said(70_000, [failure(2000)])).toBeNull();
  });
  test('beside the media are no trouble of the picture', () =>
    expect(said(10_000, [{ ...failure(2000), type: 'steering', mediaType: null }])).toBeNull());
  test('that the player took back did not fail', () =>
    expect(said(10_000, [request(2000, { outcome: 'aborted' })])).toBeNull());
});
