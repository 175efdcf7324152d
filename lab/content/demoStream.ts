/** The demo: a really encoded ladder, so that the eye sees what a switch is worth. */
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cachedFolder, cachedPath } from './cachedFolder.ts';
import { cutTrack, readTracks } from './track.ts';
import { encodeTracks, type EncodeOptions } from './encodeTracks.ts';
import { demoRecipe } from './ladder.ts';
import { mpd, sizesFile } from './mpd.ts';

/** To be raised when the picture or the files change while the recipe stays. */
const version = 3;

const SIZES_FILE = 'sizes.json';

/** The demo's folder with `manifest.mpd`, whether it is there yet or not. */
export function demoFolder(cacheFolder: string): string {
  return cachedPath(cacheFolder, 'demo', { version, demoRecipe });
}

/** Makes the demo unless the cache has it. */
export function demoStream(
  cacheFolder: string,
  options: Omit<EncodeOptions, 'folder'>,
): Promise<{ readonly wasMade: boolean }> {
  return cachedFolder(demoFolder(cacheFolder), async (folder) => {
    await encodeTracks(demoRecipe, { ...options, folder });
    const tracks = await readTracks(demoRecipe, folder);
    for (const track of tracks) {
      await cutTrack(track, folder, folder);
      await rm(join(folder, `${track.id}.mp4`));
    }
    const text = mpd({
      ...demoRecipe,
      addressing: 'template',
      tracks,
      sizesFile: SIZES_FILE,
      periods: [{ first: 0, count: demoRecipe.segments }],
    });
    await writeFile(join(folder, 'manifest.mpd'), text);
    await writeFile(join(folder, SIZES_FILE), sizesFile(demoRecipe.segmentSeconds, tracks));
  });
}
