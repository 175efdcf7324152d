import { mkdir, open, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { nominalTicks } from '../addressing.ts';
import { shiftedSegment, type IndexedSegment } from '../boxes.ts';
import type { Track } from '../track.ts';

interface Padding {
  /** Folder that has `<id>.mp4` with the loop. */
  readonly loopFolder: string;
  readonly folder: string;
  readonly count: number;
  /** Size of each segment after padding; null: segments are not padded. */
  readonly sizesBytes: readonly number[] | null;
}

/**
 * Writes `<folder>/<id>/init.mp4` and `count` segments, `1.m4s` and so on: the loop's second to last again and again, each
 * moved to its time and filled up to its size. Returns the track that was written.
 *
 *     moof │ mdat │ free, nothing in it                  a sparse file: 600 s of 11 Mbit/s take a few MB of disk
 *     └─ media ──┘└─ sizesBytes[n] − media ─┘
 *
 * @throws Error with one sentence where the media alone is larger than its size.
 */
export async function writeSegments(
  track: Track,
  { loopFolder, folder, count, sizesBytes }: Padding,
): Promise<Track> {
  const bytes = await readFile(join(loopFolder, `${track.id}.mp4`));
  const own = join(folder, track.id);
  await mkdir(own);
  await writeFile(join(own, 'init.mp4'), bytes.subarray(0, track.initializationBytes));
  const loop = track.segments.slice(1);
  const durationTicks = nominalTicks(track.segments);
  const segments: IndexedSegment[] = [];
  for (let n = 0; n < count; n++) {
    const { offset, sizeBytes: mediaBytes, startTicks } = loop[n % loop.length]!;
    const toTicks = n * durationTicks;
    const media = shiftedSegment(bytes.subarray(offset, offset + mediaBytes), toTicks - startTicks);
    const sizeBytes = sizesBytes?.[n] ?? mediaBytes;
    if (sizeBytes !== mediaBytes && sizeBytes < mediaBytes + 8)
      throw tooSmall(track, n, { sizeBytes, mediaBytes });
    await writePadded(join(own, `${n + 1}.m4s`), media, sizeBytes);
    segments.push({ offset: 0, sizeBytes, startTicks: toTicks, durationTicks });
  }
  return { ...track, segments };
}

async function writePadded(path: string, media: Buffer, sizeBytes: number): Promise<void> {
  const free = freeBox(sizeBytes - media.length);
  const file = await open(path, 'wx');
  try {
    await file.writeFile(free ? Buffer.concat([media, free]) : media);
    await file.truncate(sizeBytes);
  } finally {
    await file.close();
  }
}

const tooSmall = (
  { bitrateKbps }: Track,
  n: number,
  { sizeBytes, mediaBytes }: { sizeBytes: number; mediaBytes: number },
): Error =>
  new Error(
    `The level of ${bitrateKbps} kbit/s has ${sizeBytes} bytes for segment ${n}; its picture takes ${mediaBytes} and a box to fill it up 8.`,
  );

const HEADER_BYTES = 8;

/**
 * Makes the header of an ISO-BMFF `free` box (ISO/IEC 14496-12 §8.1.2) of `sizeBytes` in all, null for none. Players skip the
 * box, so its content does not matter. PURE.
 * @throws Error with one sentence for a size that no box can have.
 */
export function freeBox(sizeBytes: number): Buffer | null {
  if (sizeBytes === 0) return null;
  if (sizeBytes < HEADER_BYTES) throw new Error(`A box of ${sizeBytes} bytes cannot be.`);
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt32BE(sizeBytes);
  header.write('free', 4, 'latin1');
  return header;
}
