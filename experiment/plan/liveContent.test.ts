import { describe, expect, it } from 'vitest';
import { contentName } from './contentName.ts';
import { isLive, liveContent } from './liveContent.ts';

describe('a live content', () => {
  it.each([
    ['live', { isLowLatency: false, padded: null }, 'live'],
    ['live:low-latency', { isLowLatency: true, padded: null }, 'live-low-latency'],
    [
      'live:padded:tables/film.json:segment=2',
      { isLowLatency: false, padded: 'padded:tables/film.json:segment=2' },
      'live-padded-film-json-segment-2',
    ],
  ])('%s', (text, value, name) => {
    expect(isLive(text)).toBe(true);
    expect(liveContent(text)).toEqual({ ok: true, value });
    expect(contentName(text)).toBe(name);
  });

  it.each([
    ['live:', 'Unknown live stream "live:"; known: live, live:low-latency, and live:padded:TABLE.'],
    ['live:demo', 'Unknown live stream "live:demo"; known: live, live:low-latency, and live:padded:TABLE.'],
    ['live:padded:', '"padded:" names no table of sizes: write padded:envivio, or padded:PATH.'],
  ])('%s is refused', (text, error) => expect(liveContent(text)).toEqual({ ok: false, error }));

  it('is none that only begins alike', () => expect(isLive('lively')).toBe(false));
});
