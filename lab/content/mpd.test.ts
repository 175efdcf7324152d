import { describe, expect, test } from 'vitest';
import type { Addressing } from './addressing.ts';
import { grouped, type AudioTrackFacts, type Track, type VideoTrackFacts } from './track.ts';
import { liveRecipe, testRecipe } from './ladder.ts';
import { liveMpd } from './liveStream.ts';
import { mpd, type MpdOptions, sizesFile } from './mpd.ts';
import { readSizesFile } from '../../src/abr/sizesFile.ts';
import { SIZES_SCHEME } from '../../src/player/sizes/dashStream.ts';
import { webVtt } from './testStreams.ts';
import { element } from './xml.ts';

/** Segments one behind the other from byte 1000 on. */
const segmentsOf = (durations: readonly number[]): Track['segments'] =>
  durations.map((durationTicks, index) => ({
    offset: 1000 + index * 100,
    sizeBytes: 100,
    startTicks: durations.slice(0, index).reduce((sum, each) => sum + each, 0),
    durationTicks,
  }));

const video: VideoTrackFacts = {
  kind: 'video',
  id: 'video-1',
  bitrateKbps: 150,
  widthPx: 320,
  heightPx: 180,
  codecs: 'vp09.00.11.08',
  timescale: 1000,
  initializationBytes: 800,
  index: [800, 999],
  segments: segmentsOf([2000, 2000, 2000, 2000]),
};
const audio: AudioTrackFacts = {
  kind: 'audio',
  id: 'audio-1',
  bitrateKbps: 48,
  language: 'en',
  chordHz: [],
  codecs: 'opus',
  timescale: 48_000,
  initializationBytes: 700,
  index: [700, 899],
  segments: segmentsOf([95_688, 96_000, 96_000, 96_000]),
};

const written = (addressing: Addressing, more: Partial<MpdOptions> = {}): string =>
  mpd({
    ...testRecipe,
    addressing,
    tracks: [video, audio],
    periods: [{ first: 0, count: 4 }],
    ...more,
  });

describe('mpd', () => {
  test('template: number and nominal duration, although Opus shortens its first segment', () => {
    const text = written('template');
    expect(text).toContain('type="static"');
    expect(text).toContain('mediaPresentationDuration="PT8S"');
    expect(text).toContain('<SegmentTemplate timescale="1000"');
    expect(text).toContain('startNumber="1" duration="2000"/>');
    expect(text).toContain('startNumber="1" duration="96000"/>');
    expect(text).toContain('bandwidth="150000"');
  });

  test('timeline: measured durations, equal ones as a repetition', () => {
    const text = written('timeline');
    expect(text).toContain('<S t="0" d="2000" r="3"/>');
    expect(text.replaceAll(/\s+/g, '')).toContain('<St="0"d="95688"/><Sd="96000"r="2"/>');
  });

  test('base: ranges of initialization and index', () => {
    const text = written('base');
    expect(text).toContain('<BaseURL>video-1.mp4</BaseURL>');
    expect(text).toContain('indexRange="800-999"');
    expect(text).toContain('<Initialization range="0-799"/>');
  });

  test('list: a byte range per segment, ends included', () => {
    expect(
      written('list')
        .match(/mediaRange="\d+-\d+"/g)
        ?.slice(0, 2),
    ).toEqual(['mediaRange="1000-1099"', 'mediaRange="1100-1199"']);
  });

  test('periods follow each other and continue numbers and media time', () => {
    const text = written('template', {
      periods: [
        { first: 0, count: 2 },
        { first: 2, count: 2 },
      ],
    });
    expect(text).toContain('<Period id="p0" start="PT0S" duration="PT4S">');
    expect(text).toContain('<Period id="p1" start="PT4S" duration="PT4S">');
    expect(text).toContain('presentationTimeOffset="4000"');
    expect(text).toContain('presentationTimeOffset="192000"');
    expect(text).toContain('startNumber="3"');
  });

  test('one adaptation set per language, the first as main, and text beside them', () => {
    const text = written('template', {
      tracks: [video, audio, { ...audio, id: 'audio-2', language: 'fr' }],
      text: { file: 'captions.vtt', language: 'en' },
    });
    expect(text.match(/<AdaptationSet/g)).toHaveLength(4);
    expect(text).toContain('lang="fr"');
    expect(text.match(/value="(main|dub|subtitle)"/g)).toEqual([
      'value="main"',
      'value="dub"',
      'value="subtitle"',
    ]);
    expect(text).toContain('<BaseURL>captions.vtt</BaseURL>');
  });
});

describe('sizesFile', () => {
  const text = sizesFile(2, [video, audio]);

  test('is what the player reads, with the size of every segment', () => {
    const read = readSizesFile(text);
    if (!read.ok) throw new Error(read.error);
    expect(read.value).toMatchObject({
      segmentMs: 2000,
      representations: [
        { id: 'video-1', mediaType: 'video', bitrateKbps: 150, sizesBytes: [100, 100, 100, 100] },
        { id: 'audio-1', mediaType: 'audio', bitrateKbps: 48, sizesBytes: [100, 100, 100, 100] },
      ],
    });
  });

  test('is named in the MPD after its periods (ISO/IEC 23009-1 §5.3.1.3)', () => {
    const named = `<SupplementalProperty schemeIdUri="${SIZES_SCHEME}" value="sizes.json"/>`;
    expect(written('template', { sizesFile: 'sizes.json' }).replaceAll(/\s+</g, '<')).toContain(
      `</Period>${named}</MPD>`,
    );
    expect(written('template')).not.toContain('SupplementalProperty');
  });
});

describe('liveMpd', () => {
  const tracks = [grouped({ ...video, segments: segmentsOf(Array<number>(8).fill(500)) }, 4)];
  const at = { recipe: liveRecipe, tracks, startUnixMs: 0, nowUnixMs: 60_000 };

  test('groups chunks, starts at the given moment and brings its own clock', () => {
    const text = liveMpd({ ...at, isLowLatency: false });
    expect(text).toContain('type="dynamic"');
    expect(text).toContain('availabilityStartTime="1970-01-01T00:00:00.000Z"');
    expect(text).toContain('<UTCTiming schemeIdUri="urn:mpeg:dash:utc:http-iso:2014" value="time"/>');
    expect(text).toContain('duration="2000"/>');
    expect(text).not.toContain('mediaPresentationDuration');
    expect(text).not.toContain('availabilityTimeOffset');
    expect(text).toContain('suggestedPresentationDelay="PT6S"');
    expect(liveMpd({ ...at, isLowLatency: false, delaySeconds: 10 })).toContain(
      'suggestedPresentationDelay="PT10S"',
    );
    expect(text).toContain('timeShiftBufferDepth="PT30S"');
    expect(liveMpd({ ...at, isLowLatency: false, windowSeconds: 120 })).toContain(
      'timeShiftBufferDepth="PT120S"',
    );
  });

  test('low latency lets a segment be asked for once its first chunk is there', () => {
    const text = liveMpd({ ...at, isLowLatency: true });
    expect(text).toContain('availabilityTimeOffset="1.5" availabilityTimeComplete="false"');
    expect(text).toContain('<Latency target="2000" min="1000" max="6000"/>');
  });
});

test('element escapes what would end an attribute or a text', () => {
  expect(element('a', { b: '"<&', c: null }, '<&')).toBe('<a b="&quot;&lt;&amp;">&lt;&amp;</a>');
});

test('webVtt ends with the stream', () => {
  expect(webVtt(3)).toBe(
    'WEBVTT\n\n00:00:00.000 --> 00:00:02.000\nCaption at 0 seconds\n\n00:00:02.000 --> 00:00:03.000\nCaption at 2 seconds\n\n',
  );
});
