/** Long streams whose bytes follow a table of real sizes: what counts for transport and rules, made in seconds. */
import { mkdir, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cachedFolder } from '../cachedFolder.ts';
import { mpd } from '../mpd.ts';
import { sizesFile } from '../sizesFile.ts';
import { readTracks, type Track } from '../track.ts';
import { loopArguments } from './loopArguments.ts';
import { loopRecipe } from './loopRecipe.ts';
import { writeFacts } from './paddedFacts.ts';
import { paddedFolder } from './paddedFolder.ts';
import type { PaddedRecipe } from './paddedRecipe.ts';
import { runFfmpeg } from './runFfmpeg.ts';
import { writeSegments } from './writeSegments.ts';

const SIZES_FILE = 'sizes.json';

export interface PaddedStream {
  /** With `manifest.mpd`, to be mounted in an origin. */
  readonly folder: string;
  readonly wasMade: boolean;
}

/** Makes the stream unless the cache has it. @throws Error with one sentence where a size is too small for its picture */
export async function paddedStream(
  recipe: PaddedRecipe,
  { cacheFolder, ...tools }: { cacheFolder: string; ffmpeg: string; fontFile: string },
): Promise<PaddedStream> {
  const folder = paddedFolder(recipe, cacheFolder);
  const { wasMade } = await cachedFolder(folder, (making) => make(recipe, making, tools));
  // The cache drops what is a month old; a stream that is still asked for is not.
  await utimes(folder, new Date(), new Date());
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
  for (const [index, track] of (await readTracks(loop, loopFolder)).entries()) {
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
