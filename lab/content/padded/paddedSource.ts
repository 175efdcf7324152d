import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { LiveSource } from '../liveSource.ts';
import { readFacts } from './paddedFacts.ts';

/** A padded stream as the source of a live one (`startLiveStream`): its segments from disk, one after the other for ever. */
export async function paddedSource(folder: string): Promise<LiveSource> {
  const { tracks, ...recipe } = await readFacts(folder);
  return {
    recipe,
    tracks,
    initialization: ({ id }) => readFile(join(folder, id, 'init.mp4')),
    chunk: ({ id }, index) => readFile(join(folder, id, `${index + 1}.m4s`)),
  };
}
