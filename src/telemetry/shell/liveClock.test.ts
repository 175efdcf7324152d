import { expect, test, vi } from 'vitest';
import { createLiveClock } from './liveClock.ts';
import type { Surroundings } from './surroundings.ts';

const NOW_MS = Date.parse('2026-05-01T12:00:00.600Z');

/** A player that has loaded a manifest in `loadedInMs` and then set its clock. */
function clockOf(
  { type = 'dynamic', UTCTiming = [] as object[], date = null as string | null, loadedInMs = 200 },
  offset: number,
) {
  vi.useFakeTimers({ now: NOW_MS - loadedInMs });
  const listeners = new Map<string, (event: object) => void>();
  const player = {
    on: (name: string, listener: (event: object) => void) => void listeners.set(name, listener),
    off: (name: string) => void listeners.delete(name),
    getDashMetrics: () => ({
      getLatestMPDRequestHeaderValueByID: (name: string) => (name === 'Date' ? date : null),
    }),
  };
  const clock = createLiveClock({ player } as unknown as Pick<Surroundings, 'player'>);
  listeners.get('manifestLoadingStarted')!({});
  vi.advanceTimersByTime(loadedInMs);
  listeners.get('manifestLoaded')!({ data: { type, UTCTiming } });
  listeners.get('updateTimeSyncOffset')!({ offset });
  const fields = clock.fields();
  clock.dispose();
  vi.useRealTimers();
  return { fields, listeners: listeners.size };
}

const DATE = 'Fri, 01 May 2026 12:00:00 GMT';

test('a Date header is off by its second and by the time since the manifest was asked for', () => {
  expect(clockOf({ date: DATE }, -600)).toEqual({ fields: { liveLatencyErrorMs: 1200 }, listeners: 0 });
});

test('without a clock nothing is known, and the log says why', () => {
  expect(clockOf({}, NaN).fields).toEqual({ liveLatencyErrorMs: { absent: 'not-exposed' } });
});

test('a clock that the stream names leaves nothing to say, but for one that is a Date header itself', () => {
  const named = (scheme: string) => [{ schemeIdUri: `urn:mpeg:dash:utc:${scheme}:2014` }];
  expect(clockOf({ UTCTiming: named('http-xsdate'), date: DATE }, 12).fields).toEqual({});
  expect(clockOf({ UTCTiming: named('http-head'), date: DATE }, 12).fields).toEqual({
    liveLatencyErrorMs: 1000,
  });
});

test('a time that stands in the manifest is no better than its Date header', () => {
  const UTCTiming = [
    { schemeIdUri: 'urn:mpeg:dash:utc:ntp:2014' },
    { schemeIdUri: 'urn:mpeg:dash:utc:direct:2014' },
  ];
  expect(clockOf({ UTCTiming }, -400).fields).toEqual({ liveLatencyErrorMs: 1200 });
});

test('what is not live has no live edge', () => {
  expect(clockOf({ type: 'static', date: DATE }, NaN).fields).toEqual({});
});
