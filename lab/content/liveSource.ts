import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Recipe } from './ladder.ts';
import { readTracks, type Track } from './track.ts';

/** What a live stream repeats for ever. */
export interface LiveSource {
  readonly recipe: Pick<Recipe, 'title' | 'framesPerSecond' | 'segmentSeconds' | 'segments' | 'chunkSeconds'>;
  /** With the chunks in place of segments, where segments have several. */
  readonly tracks: readonly Track[];
  initialization(track: Track): Promise<Buffer>;
  /** As encoded, at the time of its first round. */
  chunk(track: Track, index: number): Promise<Buffer>;
}

/** The source of an encoded recipe: one MP4 per track, kept in memory. */
export async function encodedSource(recipe: Recipe, folder: string): Promise<LiveSource> {
  const tracks = await readTracks(recipe, folder);
  const files = new Map<string, Buffer>();
  for (const { id } of tracks) files.set(id, await readFile(join(folder, `${id}.mp4`)));
  const part = (track: Track, from: number, sizeBytes: number): Promise<Buffer> =>
    Promise.resolve(files.get(track.id)!.subarray(from, from + sizeBytes));
  return {
    recipe,
    tracks,
    initialization: (track) => part(track, 0, track.initializationBytes),
    chunk: (track, index) => part(track, track.segments[index]!.offset, track.segments[index]!.sizeBytes),
  };
}
