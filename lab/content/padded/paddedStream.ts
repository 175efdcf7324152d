import { readFileSync } from 'node:fs';
import { mkdir, rm, utimes, writeFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { addPlaylists } from '../addPlaylists.ts';
import { cachedFolder, cachedPath } from '../cachedFolder.ts';
import { mpd, sizesFile } from '../mpd.ts';
import { readTracks, type Track } from '../track.ts';
import { loopArguments, loopRecipe, runFfmpeg } from './loop.ts';
import type { PaddedRecipe } from './paddedRecipe.ts';
import { writeSegments } from './writeSegments.ts';
import type { LiveSource } from '../liveStream.ts';

const SIZES_FILE = 'sizes.json';

/** A long stream whose bytes follow a table of real sizes: what counts for transport and rules, made in seconds. */
export interface PaddedStream {
  /** With `manifest.mpd` and `manifest.m3u8`, to be mounted in an origin. */
  readonly folder: string;
  readonly wasMade: boolean;
}

/** Makes the stream unless the cache has it. @throws Error with one sentence where a size is too small for its picture */
export async function makePaddedStream(
  recipe: PaddedRecipe,
  { cacheFolder, ...tools }: { cacheFolder: string; ffmpeg: string; fontFile: string },
): Promise<PaddedStream> {
  const folder = paddedFolder(recipe, cacheFolder);
  const { wasMade } = await cachedFolder(folder, (making) => make(recipe, making, tools));
  // The cache drops what is a month old; a stream that is still asked for is not.
  await utimes(folder, new Date(), new Date());
  addPlaylists(folder, () => {
    const { segments: count, ...facts } = readFacts(folder);
    return { ...facts, addressing: 'template', periods: [{ first: 0, count }] };
  });
  return { folder, wasMade };
}

async function make(
  recipe: PaddedRecipe,
  folder: string,
  { ffmpeg, fontFile }: { ffmpeg: string; fontFile: string },
): Promise<void> {
  const loop = loopRecipe(recipe);
  const loopFolder = join(folder, 'loop');
  await mkdir(loopFolder);
  await runFfmpeg(ffmpeg, loopArguments(loop, { folder: loopFolder, fontFile }));
  const count = recipe.video[0]!.sizesBytes.length;
  const tracks: Track[] = [];
  for (const [index, track] of readTracks(loop, loopFolder).entries()) {
    const sizesBytes = recipe.video[index]?.sizesBytes ?? null;
    tracks.push(await writeSegments(track, { loopFolder, folder, count, sizesBytes }));
  }
  await rm(loopFolder, { recursive: true });
  const text = mpd({
    ...loop,
    addressing: 'template',
    tracks,
    sizesFile: SIZES_FILE,
    periods: [{ first: 0, count }],
  });
  await writeFile(join(folder, 'manifest.mpd'), text);
  await writeFile(join(folder, SIZES_FILE), sizesFile(recipe.segmentSeconds, tracks));
  await writeFacts(folder, { ...loop, segments: count, tracks });
}

/** To be raised when the files change while the recipe stays. */
const VERSION = 2;

/** Where the stream is or will be; the folder's name ends with a hash of all that its bytes depend on. PURE. */
export const paddedFolder = (recipe: PaddedRecipe, cacheFolder: string): string =>
  cachedPath(cacheFolder, nameOf(recipe), { version: VERSION, recipe });

const nameOf = ({ title, segmentSeconds }: PaddedRecipe): string =>
  `${title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(-60)}-${segmentSeconds}s`;

/** A padded stream as the source of a live one (`startLiveStream`): its segments from disk, one after the other for ever. */
export function readPaddedSource(folder: string): LiveSource {
  const { tracks, ...recipe } = readFacts(folder);
  return {
    recipe,
    tracks,
    initialization: ({ id }) => readFile(join(folder, id, 'init.mp4')),
    chunk: ({ id }, index) => readFile(join(folder, id, `${index + 1}.m4s`)),
  };
}

/** What a live stream of a padded one's segments has to know, kept beside them. */
type PaddedFacts = LiveSource['recipe'] & Pick<LiveSource, 'tracks'>;

const FILE = 'stream.json';

async function writeFacts(folder: string, facts: PaddedFacts): Promise<void> {
  const { title, framesPerSecond, segmentSeconds, segments, tracks } = facts;
  const text = JSON.stringify({ title, framesPerSecond, segmentSeconds, segments, tracks });
  await writeFile(join(folder, FILE), `${text}\n`);
}

const readFacts = (folder: string): PaddedFacts =>
  JSON.parse(readFileSync(join(folder, FILE), 'utf8')) as PaddedFacts;
