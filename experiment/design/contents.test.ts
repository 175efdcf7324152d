import { describe, expect, it } from 'vitest';
import { contentName, isLive, liveContent, paddedContent, type PaddedContent } from './contents.ts';

describe('a live content', () => {
  it.each([
    ['live', { isLowLatency: false, padded: null, delaySeconds: null, windowSeconds: null }, 'live'],
    [
      'live:low-latency',
      { isLowLatency: true, padded: null, delaySeconds: null, windowSeconds: null },
      'live-low-latency',
    ],
    [
      'live:padded:tables/film.json:segment=2',
      {
        isLowLatency: false,
        padded: 'padded:tables/film.json:segment=2',
        delaySeconds: null,
        windowSeconds: null,
      },
      'live-padded-film-json-segment-2',
    ],
    [
      'live:padded:envivio:delay=10:segment=2',
      { isLowLatency: false, padded: 'padded:envivio:segment=2', delaySeconds: 10, windowSeconds: null },
      'live-padded-envivio-delay-10-segment-2',
    ],
    [
      'live:padded:envivio:delay=40:window=120',
      { isLowLatency: false, padded: 'padded:envivio', delaySeconds: 40, windowSeconds: 120 },
      'live-padded-envivio-delay-40-window-120',
    ],
  ])('%s', (text, value, name) => {
    expect(isLive(text)).toBe(true);
    expect(liveContent(text)).toEqual({ ok: true, value });
    expect(contentName(text)).toBe(name);
  });

  it.each([
    ['live:', 'Unknown live stream "live:"; known: live, live:low-latency, and live:padded:TABLE.'],
    ['live:demo', 'Unknown live stream "live:demo"; known: live, live:low-latency, and live:padded:TABLE.'],
    [
      'live:padded:envivio:segment=4:delay=3',
      '"delay=3" in "live:padded:envivio:segment=4:delay=3" should be a whole number of seconds from 4 (a segment) to 25, as in delay=10.',
    ],
    ['live:padded:envivio:delay=8:delay=9', '"live:padded:envivio:delay=8:delay=9" sets delay twice.'],
    [
      'live:padded:envivio:window=60:window=60',
      '"live:padded:envivio:window=60:window=60" sets window twice.',
    ],
    [
      'live:padded:envivio:window=20',
      '"window=20" in "live:padded:envivio:window=20" should be a whole number of seconds from 30 to 3600, as in window=120.',
    ],
    [
      'live:padded:envivio:delay=60:window=60',
      '"delay=60" in "live:padded:envivio:delay=60:window=60" should be a whole number of seconds from 4 (a segment) to 55, as in delay=10.',
    ],
    ['live:padded:', '"padded:" names no table of sizes: write padded:envivio, or padded:PATH.'],
  ])('%s is refused', (text, error) => expect(liveContent(text)).toEqual({ ok: false, error }));

  it('is none that only begins alike', () => expect(isLive('lively')).toBe(false));
});

const plain: PaddedContent = { table: 'envivio', segmentSeconds: 4, audioKbps: null, ladderKbps: null };

describe('a padded stream by its name', () => {
  it.each<[string, Partial<PaddedContent>]>([
    ['padded:envivio', {}],
    ['padded:envivio:segment=2', { segmentSeconds: 2 }],
    ['padded:../tables/film.json:audio=32', { table: '../tables/film.json', audioKbps: 32 }],
    ['padded:envivio:ladder=80,150.5,300', { ladderKbps: [80, 150.5, 300] }],
    ['padded:envivio:ladder=500:segment=6', { ladderKbps: [500], segmentSeconds: 6 }],
  ])('%s', (text, changes) =>
    expect(paddedContent(text)).toEqual({ ok: true, value: { ...plain, ...changes } }),
  );

  it.each([
    ['padded:', '"padded:" names no table of sizes: write padded:envivio, or padded:PATH.'],
    ['padded::segment=2', 'names no table of sizes'],
    [
      'padded:envivio:segments=2',
      'Unknown setting "segments=2" in "padded:envivio:segments=2"; known: segment, audio, ladder.',
    ],
    ['padded:envivio:toString=2', 'Unknown setting "toString=2" in "padded:envivio:toString=2"; known: '],
    [
      'padded:envivio:segment=0',
      '"segment=0" in "padded:envivio:segment=0" should be a whole number of seconds from 1 to 60',
    ],
    ['padded:envivio:segment=2.5', 'should be a whole number of seconds'],
    ['padded:envivio:audio=5', 'should be a whole number of kbit/s from 6 to 510'],
    ['padded:envivio:ladder=300,200', 'should be rising bitrates in kbit/s with commas between'],
    ['padded:envivio:ladder=300,,400', 'should be rising bitrates'],
    ['padded:envivio:ladder=0,400', 'should be rising bitrates'],
    ['padded:envivio:segment=2:segment=4', 'sets segment twice.'],
  ])('%s is refused', (text, sentence) => {
    const read = paddedContent(text);
    expect(read.ok ? 'no error' : read.error).toContain(sentence);
  });
});

it.each([
  ['demo', 'demo'],
  ['https://cdn.example/film/a.mpd?key=1', 'cdn-example-film-a-mpd'],
  ['padded:envivio', 'padded-envivio'],
  ['padded:../tables/Film.json:segment=2:ladder=80,150', 'padded-film-json-segment-2-ladder-80-150'],
  ['padded:tables/sizes/:segment=2', 'padded-sizes-segment-2'],
])('%s is %s in names', (content, name) => expect(contentName(content)).toBe(name));
