import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Parser, type ParsedMedia } from 'm3u8-parser';
import { parse } from 'mpd-parser';
import { afterAll, expect, test } from 'vitest';
import { envivio } from '../../src/sim/envivio.ts';
import { requireTool } from '../tools.ts';
import { contentMounts } from './contentMounts.ts';
import { addDemoPlaylists } from './demoStream.ts';
import { MULTIVARIANT } from './hls.ts';
import { makePaddedStream } from './padded/paddedStream.ts';
import { paddedRecipe } from './padded/paddedRecipe.ts';

const BASE = 'https://origin.example/stream/';
const cacheFolder = mkdtempSync(join(tmpdir(), 'pitwall-hls-test-'));
afterAll(() => rmSync(cacheFolder, { recursive: true }));
const tools = { cacheFolder, ffmpeg: requireTool('ffmpeg'), fontFile: requireTool('fontFile') };
const mounts = contentMounts();

const readHls = (folder: string, file: string): ParsedMedia => {
  const parser = new Parser();
  parser.push(readFileSync(join(folder, file), 'utf8'));
  parser.end();
  return parser.manifest;
};

interface Segment {
  readonly url: string;
  readonly seconds: number;
  readonly range: string | null;
  readonly init: string;
}

const urlOf = (uri: string): string => new URL(uri, BASE).href;
const rangeOf = (range?: { length: number; offset: number }): string | null =>
  range ? `${range.offset}+${range.length}` : null;
/** Parsers give seconds of periods and of ticks as floating-point numbers. */
const rounded = (seconds: number): number => Number(seconds.toFixed(6));

const hlsSegments = (folder: string, file: string): Segment[] =>
  readHls(folder, file).segments.map(({ uri, duration, byterange, map }) => ({
    url: urlOf(uri),
    seconds: rounded(duration),
    range: rangeOf(byterange),
    init: `${urlOf(map.uri)} ${rangeOf(map.byterange)}`,
  }));

type Parsed = ReturnType<typeof parse>['playlists'][number];

const dashSegments = ({ segments }: Parsed): Segment[] =>
  segments.map(({ resolvedUri, duration, byterange, map }) => ({
    url: resolvedUri,
    seconds: rounded(duration),
    range: rangeOf(byterange),
    init: `${map!.resolvedUri} ${rangeOf(map!.byterange)}`,
  }));

/** Reads the representations of an MPD by the same library as the simulator. */
function readDash(folder: string): { video: readonly Parsed[]; audio: readonly Parsed[] } {
  const text = readFileSync(join(folder, 'manifest.mpd'), 'utf8');
  const { playlists, mediaGroups } = parse(text, { manifestUri: urlOf('manifest.mpd') });
  const groups = Object.values(mediaGroups.AUDIO).flatMap((group) => Object.values(group));
  return { video: playlists, audio: groups.flatMap((each) => each.playlists) };
}

const bytesOf = (folder: string, { url, range }: Segment): number =>
  range === null ? statSync(join(folder, url.slice(BASE.length))).size : Number(range.split('+')[1]);

test.each(['template', 'timeline', 'list', 'multi-period', 'multi-audio'])(
  'the playlists of %s have the URLs, durations, ranges, codecs and resolutions of its MPD',
  (kind) => expectSame(join(mounts['/media/test']!, kind)),
);

test('so have those of the demo', () => expectSame(mounts['/media/demo']!));

test('so have those of a padded stream, also of one that an older version made', async () => {
  const recipe = paddedRecipe(envivio, { segmentSeconds: 2, seconds: 20, audioKbps: 32 });
  const { folder } = await makePaddedStream(recipe, tools);
  expectSame(folder);
  rmSync(join(folder, MULTIVARIANT));
  expect((await makePaddedStream(recipe, tools)).wasMade).toBe(false);
  expectSame(folder);
});

function expectSame(folder: string): void {
  const main = readHls(folder, MULTIVARIANT);
  const { video, audio } = readDash(folder);
  expect(main.playlists).toHaveLength(video.length);
  for (const [rung, { uri, attributes }] of main.playlists!.entries()) {
    const dash = video[rung]!;
    expect(hlsSegments(folder, uri)).toEqual(dashSegments(dash));
    expect(attributes['RESOLUTION']).toEqual(dash.attributes.RESOLUTION);
    expect(attributes['CODECS']).toBe(`${dash.attributes.CODECS},opus`);
  }
  const renditions = Object.values(main.mediaGroups.AUDIO).flatMap((group) => Object.values(group));
  const sound = renditions.map(({ uri }) => hlsSegments(folder, uri));
  expect(sound).toHaveLength(audio.length);
  expect(sound).toEqual(expect.arrayContaining(audio.map(dashSegments)));
}

test('a single file is read by the ranges of its own index', () => {
  const folder = join(mounts['/media/test']!, 'base');
  for (const id of ['video-1', 'video-3', 'audio-1']) {
    const size = statSync(join(folder, `${id}.mp4`)).size;
    const segments = hlsSegments(folder, `${id}.m3u8`);
    expect(segments).toHaveLength(12);
    let at = Number(segments[0]!.range!.split('+')[0]);
    for (const { range } of segments) {
      const [offset, length] = range!.split('+').map(Number);
      expect(offset).toBe(at);
      at += length!;
    }
    expect(at).toBe(size);
  }
  const [dashTimeline] = readDash(join(mounts['/media/test']!, 'timeline')).audio;
  expect(hlsSegments(folder, 'audio-1.m3u8').map(({ seconds }) => seconds)).toEqual(
    dashSegments(dashTimeline!).map(({ seconds }) => seconds),
  );
});

test('BANDWIDTH is the peak of picture and sound, AVERAGE-BANDWIDTH the mean, from the bytes', () => {
  const folder = mounts['/media/demo']!;
  const main = readHls(folder, MULTIVARIANT);
  const ratesOf = (file: string): { peak: number; mean: number } => {
    const segments = hlsSegments(folder, file);
    const bits = segments.map((segment) => bytesOf(folder, segment) * 8);
    const sum = (values: readonly number[]): number => values.reduce((total, each) => total + each, 0);
    return {
      peak: Math.max(...bits.map((each, n) => each / segments[n]!.seconds)),
      mean: sum(bits) / sum(segments.map(({ seconds }) => seconds)),
    };
  };
  for (const { uri, attributes } of main.playlists!) {
    const sound = Object.values(main.mediaGroups.AUDIO[String(attributes['AUDIO'])]!)[0]!.uri;
    const [picture, audio] = [ratesOf(uri), ratesOf(sound)];
    // Opus' first segment is 6.5 ms shorter than the nominal duration.
    expect(Number(attributes['BANDWIDTH']) / (picture.peak + audio.peak)).toBeCloseTo(1, 2);
    expect(Number(attributes['AVERAGE-BANDWIDTH']) / (picture.mean + audio.mean)).toBeCloseTo(1, 2);
    expect(Number(attributes['BANDWIDTH'])).toBeGreaterThanOrEqual(Number(attributes['AVERAGE-BANDWIDTH']));
  }
  expect(main.playlists!.map(({ attributes }) => attributes['AUDIO'])).toEqual(
    [1, 1, 1, 1, 2, 2, 2, 2].map((n) => `sound-${n}`),
  );
});

test('two languages are two renditions of one group, periods a discontinuity, captions a playlist', () => {
  const folder = join(mounts['/media/test']!, 'multi-audio');
  const { mediaGroups } = readHls(folder, MULTIVARIANT);
  expect(Object.entries(mediaGroups.AUDIO['sound-1']!).map(([name, each]) => [name, each.default])).toEqual([
    ['en', true],
    ['fr', false],
  ]);
  expect(readHls(folder, mediaGroups.SUBTITLES['text']!['en']!.uri).segments).toMatchObject([
    { uri: 'captions.vtt', duration: 24 },
  ]);
  const two = readHls(join(mounts['/media/test']!, 'multi-period'), 'video-1.m3u8');
  expect(two.segments.map(({ discontinuity }) => discontinuity === true)).toEqual(
    Array.from({ length: 12 }, (_, n) => n === 6),
  );
  expect(two).toMatchObject({ version: 7, targetDuration: 2, endList: true });
});

test('a demo without playlists gets them, one that has them keeps them', () => {
  const demo = mounts['/media/demo']!;
  const folder = join(cacheFolder, 'demo');
  cpSync(demo, folder, { recursive: true, filter: (from) => !from.endsWith('.m3u8') });
  addDemoPlaylists(folder);
  const names = readdirSync(folder).filter((name) => name.includes('m3u8'));
  expect(names).toHaveLength(11);
  for (const name of names)
    expect(readFileSync(join(folder, name), 'utf8')).toBe(readFileSync(join(demo, name), 'utf8'));
  rmSync(join(folder, 'video-1.m3u8'));
  addDemoPlaylists(folder);
  expect(existsSync(join(folder, 'video-1.m3u8'))).toBe(false);
});
