import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Addressing, Span } from './addressing.ts';
import { cachedFolder, cachedPath } from './cachedFolder.ts';
import { cutTrack, readTracks, type Track } from './track.ts';
import { encodeTracks, type EncodeOptions } from './encodeTracks.ts';
import { durationSeconds, testRecipe } from './ladder.ts';
import { mpd, type TextTrack } from './mpd.ts';

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
    const tracks = await readTracks(testRecipe, folder);
    for (const [kind, stream] of Object.entries(testStreamKinds)) {
      await writeStream(stream, { tracks, from: folder, to: join(folder, kind) });
    }
    for (const { id } of tracks) await rm(join(folder, `${id}.mp4`));
  });
}

/** Each stream has its own copy of the bytes, so that the origin's log tells by path which one was played. */
async function writeStream(
  { addressing, languages, periods, text }: TestStream,
  { tracks: all, from, to }: { tracks: readonly Track[]; from: string; to: string },
): Promise<void> {
  await mkdir(to);
  const tracks = all.filter((track) => track.kind === 'video' || languages.includes(track.language));
  const isCut = addressing === 'template' || addressing === 'timeline';
  for (const track of tracks) {
    if (isCut) await cutTrack(track, from, to);
    else await copyFile(join(from, `${track.id}.mp4`), join(to, `${track.id}.mp4`));
  }
  if (text) await writeFile(join(to, text.file), webVtt(durationSeconds(testRecipe)));
  const manifest = mpd({ ...testRecipe, addressing, tracks, periods, ...(text ? { text } : {}) });
  await writeFile(join(to, 'manifest.mpd'), manifest);
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
