import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Track } from './track.ts';

/** Cuts `<folder>/<id>.mp4` into `<target>/<id>/init.mp4` and `1.m4s`, `2.m4s` …, the same bytes as its ranges. */
export async function cutTrack(track: Track, folder: string, target: string): Promise<void> {
  const bytes = await readFile(join(folder, `${track.id}.mp4`));
  const own = join(target, track.id);
  await mkdir(own, { recursive: true });
  await writeFile(join(own, 'init.mp4'), bytes.subarray(0, track.initializationBytes));
  for (const [index, { offset, sizeBytes }] of track.segments.entries()) {
    await writeFile(join(own, `${index + 1}.m4s`), bytes.subarray(offset, offset + sizeBytes));
  }
}
