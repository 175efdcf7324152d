import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { addPlaylists } from './addPlaylists.ts';
import type { Addressing, Span } from './addressing.ts';
import { cachedFolder, cachedPath } from './cachedFolder.ts';
import { cutTrack, readCutTracks, readTracks, type Track } from './track.ts';
import { encodeTracks, type EncodeOptions } from './encodeTracks.ts';
import { durationSeconds, testRecipe } from './ladder.ts';
import { mpd, type MpdOptions, type TextTrack } from './mpd.ts';

/** Small streams for tests: one encode, described in every way that an MPD knows. */

/** To be raised when the files change while the recipe stays. */
const version = 2;

interface TestStream {
  readonly addressing: Addressing;
  readonly languages: readonly string[];
  readonly periods: readonly Span[];
  readonly text?: TextTrack;
}

const whole: readonly Span[] = [{ first: 0, count: testRecipe.segments }];
const half = testRecipe.segments / 2;

/** Name of the folder and of the test → what is special about it. */
const testStreamKinds: Readonly<Record<string, TestStream>> = {
  template: { addressing: 'template', languages: ['en'], periods: whole },
  timeline: { addressing: 'timeline', languages: ['en'], periods: whole },
  base: { addressing: 'base', languages: ['en'], periods: whole },
  list: { addressing: 'list', languages: ['en'], periods: whole },
  'multi-period': {
    addressing: 'template',
    languages: ['en'],
    periods: [
      { first: 0, count: half },
      { first: half, count: half },
    ],
  },
  'multi-audio': {
    addressing: 'template',
    languages: ['en', 'fr'],
    periods: whole,
    text: { file: 'captions.vtt', language: 'en' },
  },
};

/** The folder that holds a folder with `manifest.mpd` per kind, whether it is there yet or not. */
export function testFolder(cacheFolder: string): string {
  return cachedPath(cacheFolder, 'test', { version, testRecipe, testStreamKinds });
}

/** Makes all test streams unless the cache has them. */
export function testStreams(
  cacheFolder: string,
  options: Omit<EncodeOptions, 'folder'>,
): Promise<{ readonly wasMade: boolean }> {
  return cachedFolder(testFolder(cacheFolder), async (folder) => {
    await encodeTracks(testRecipe, { ...options, folder });
    const tracks = readTracks(testRecipe, folder);
    for (const [kind, stream] of Object.entries(testStreamKinds)) {
      await writeStream(stream, { tracks, from: folder, to: join(folder, kind) });
    }
    for (const { id } of tracks) await rm(join(folder, `${id}.mp4`));
  });
}

/** Each stream has its own copy of the bytes, so that the origin's log tells by path which one was played. */
async function writeStream(
  stream: TestStream,
  { tracks: all, from, to }: { tracks: readonly Track[]; from: string; to: string },
): Promise<void> {
  await mkdir(to);
  const described = describe(stream, all);
  const { tracks, text } = described;
  for (const track of tracks) {
    if (isCut(stream)) await cutTrack(track, from, to);
    else await copyFile(join(from, `${track.id}.mp4`), join(to, `${track.id}.mp4`));
  }
  if (text) await writeFile(join(to, text.file), webVtt(durationSeconds(testRecipe)));
  await writeFile(join(to, 'manifest.mpd'), mpd(described));
}

const isCut = ({ addressing }: TestStream): boolean => addressing === 'template' || addressing === 'timeline';

const describe = ({ languages, ...stream }: TestStream, all: readonly Track[]): MpdOptions => ({
  ...testRecipe,
  ...stream,
  tracks: all.filter((track) => track.kind === 'video' || languages.includes(track.language)),
});

/** Adds the HLS playlists to test streams that are there. */
export function addTestPlaylists(folder: string): void {
  for (const [kind, stream] of Object.entries(testStreamKinds)) {
    const own = join(folder, kind);
    const audio = testRecipe.audio.filter(({ language }) => stream.languages.includes(language));
    const read = isCut(stream) ? readCutTracks : readTracks;
    addPlaylists(own, () => describe(stream, read({ ...testRecipe, audio }, own)));
  }
}

/** A WebVTT file with one caption every two seconds that says its own time. PURE. */
export function webVtt(seconds: number): string {
  const cues: string[] = [];
  for (let at = 0; at < seconds; at += 2) {
    cues.push(`${clock(at)} --> ${clock(Math.min(at + 2, seconds))}\nCaption at ${at} seconds`);
  }
  return ['WEBVTT', ...cues, ''].join('\n\n');
}

function clock(seconds: number): string {
  const two = (value: number): string => String(Math.floor(value)).padStart(2, '0');
  return `${two(seconds / 3600)}:${two((seconds / 60) % 60)}:${two(seconds % 60)}.000`;
}
