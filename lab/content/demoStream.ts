/** The demo: a really encoded ladder, so that the eye sees what a switch is worth. */
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { addPlaylists } from './addPlaylists.ts';
import { cachedFolder, cachedPath } from './cachedFolder.ts';
import { cutTrack, readCutTracks, readTracks, type Track } from './track.ts';
import { encodeTracks, type EncodeOptions } from './encodeTracks.ts';
import { demoRecipe } from './ladder.ts';
import { mpd, sizesFile, type MpdOptions } from './mpd.ts';

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
    const tracks = readTracks(demoRecipe, folder);
    for (const track of tracks) {
      await cutTrack(track, folder, folder);
      await rm(join(folder, `${track.id}.mp4`));
    }
    await writeFile(join(folder, 'manifest.mpd'), mpd({ ...described(tracks), sizesFile: SIZES_FILE }));
    await writeFile(join(folder, SIZES_FILE), sizesFile(demoRecipe.segmentSeconds, tracks));
  });
}

const described = (tracks: readonly Track[]): MpdOptions => ({
  ...demoRecipe,
  addressing: 'template',
  tracks,
  periods: [{ first: 0, count: demoRecipe.segments }],
});

/** Adds the HLS playlists to a demo that is there. */
export function addDemoPlaylists(folder: string): void {
  addPlaylists(folder, () => described(readCutTracks(demoRecipe, folder)));
}
