import { describe, expect, test } from 'vitest';
import { joinResourceTiming, type SentRequest } from './joinResourceTiming.ts';
import type { TimingEntry } from './resourceTiming.ts';

const URL = 'https://o.test/v.mp4';

describe('the entry of a request', () => {
  test('is the one with its URL', () => {
    const own = entry(10, 50);
    const other = entry(10, 50, { name: 'https://o.test/other.mp4' });
    expect(join(sent(9, 51), { entries: [other, own] })).toBe(own);
  });

  test('is not one that started before it was sent: the same URL, played before', () => {
    expect(join(sent(100, 151), { entries: [entry(10, 50)] })).toBe('none');
  });

  test('is not one that ended after it', () => {
    expect(join(sent(9, 40), { entries: [entry(10, 50)] })).toBe('none');
  });

  test('may lag behind the clock by its rounding', () => {
    const own = entry(8.9, 51.1);
    expect(join(sent(9, 51), { entries: [own] })).toBe(own);
  });

  test('of an aborted request may end a little later than the abort', () => {
    const own = entry(10, 50.4);
    expect(join({ ...sent(9, 49), complete: false, bodyBytes: null }, { entries: [own] })).toBe(own);
  });

  test('is distinguished by size among byte ranges of one URL that overlap', () => {
    const small = entry(10, 50, { decodedBodySize: 1000 });
    const large = entry(10, 50, { decodedBodySize: 2000 });
    const requests = [sent(9, 51, 2000), sent(9, 51, 1000)] as const;
    expect(join(requests[0], { requests, entries: [small, large] })).toBe(large);
    expect(join(requests[1], { requests, entries: [small, large] })).toBe(small);
  });

  test('goes by the order of sending when size and time say nothing', () => {
    const first = entry(40, 60);
    const second = entry(43, 70);
    const requests = [sent(9, 75), sent(9, 75)] as const;
    expect(join(requests[0], { requests, entries: [second, first] })).toBe(first);
    expect(join(requests[1], { requests, entries: [second, first] })).toBe(second);
  });

  test('is unclear while another of the same URL and size is about to end', () => {
    const first = entry(10, 50);
    const requests = [sent(9, 51), sent(9.1, null)] as const;
    expect(join(requests[0], { requests, entries: [first], nowMs: 51 })).toBe('unclear');
  });

  test('is clear when the other is still in flight long after this entry ended', () => {
    const first = entry(10, 50);
    const requests = [sent(9, 51), sent(9.1, null)] as const;
    expect(join(requests[0], { requests, entries: [first], nowMs: 900 })).toBe(first);
  });

  test('is unclear among entries that started at the very same time', () => {
    const requests = [sent(9, 75), sent(9, 75)] as const;
    const entries = [entry(40, 60), entry(40, 70)];
    for (const request of requests) expect(join(request, { requests, entries })).toBe('unclear');
  });

  test('is unclear with one entry for two requests that ended alike', () => {
    const requests = [sent(9, 51), sent(9, 51)] as const;
    for (const request of requests)
      expect(join(request, { requests, entries: [entry(10, 50)] })).toBe('unclear');
  });

  test('is unclear when a stranger fetched the same URL with the same size meanwhile', () => {
    const request = sent(9, 60);
    expect(join(request, { entries: [entry(10, 50), entry(12, 55)] })).toBe('unclear');
  });

  test('is found beside a stranger of another size', () => {
    const own = entry(12, 55, { decodedBodySize: 1000 });
    const stranger = entry(10, 50, { decodedBodySize: 7 });
    expect(join(sent(9, 60, 1000), { entries: [stranger, own] })).toBe(own);
  });

  test('without sizes (no Timing-Allow-Origin) goes by time', () => {
    const own = entry(10, 50, { decodedBodySize: 0 });
    const later = entry(110, 150, { decodedBodySize: 0 });
    expect(join(sent(9, 51), { entries: [later, own] })).toBe(own);
  });

  test('of an aborted request is not that of the same segment asked for again', () => {
    const aborted = { ...sent(9, 30), complete: false, bodyBytes: null };
    const again = sent(32, 90);
    const second = entry(32.2, 89);
    const requests = [aborted, again];
    expect(join(aborted, { requests, entries: [second] })).toBe('none');
    expect(join(again, { requests, entries: [second] })).toBe(second);
  });

  test('is never given to two requests, whatever the order of ends', () => {
    const entries = [entry(10, 40), entry(11, 41), entry(12, 42), entry(13, 43)];
    const requests = entries.map((_each, index) => sent(9, 50 + index));
    const joined = requests.map((request) => join(request, { requests, entries }));
    expect(joined).toEqual(entries);
  });
});

function join(
  request: SentRequest,
  {
    requests = [request],
    entries,
    nowMs = 60,
  }: { requests?: readonly SentRequest[]; entries: readonly TimingEntry[]; nowMs?: number },
) {
  return joinResourceTiming(request, { requests, entries, nowMs });
}

function sent(sentMs: number, endMs: number | null, bodyBytes: number | null = 1000): SentRequest {
  return { url: URL, sentMs, endMs, complete: endMs !== null, bodyBytes };
}

function entry(startTime: number, responseEnd: number, changes: Partial<TimingEntry> = {}): TimingEntry {
  const zero = { redirectStart: 0, redirectEnd: 0, fetchStart: startTime, domainLookupStart: startTime };
  return {
    ...zero,
    name: URL,
    startTime,
    domainLookupEnd: startTime,
    connectStart: startTime,
    secureConnectionStart: startTime,
    connectEnd: startTime,
    requestStart: startTime,
    responseStart: startTime,
    responseEnd,
    nextHopProtocol: 'h2',
    transferSize: 1300,
    encodedBodySize: 1000,
    decodedBodySize: 1000,
    ...changes,
  };
}
