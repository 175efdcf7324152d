import type { ParsedPlaylist, ParsedResource } from 'mpd-parser';
import { resourceAt } from './resource.ts';
import { boxesIn, segmentIndex } from '../../../lab/content/boxes.ts';

/** The segments of one representation. */
export interface SegmentSizes {
  readonly sizesBytes: readonly number[];
  readonly durationsMs: readonly number[];
  /** null when there is no init segment. */
  readonly initBytes: number | null;
}

/** So many questions at once: a disk has no use for more, a server would take offence. */
const AT_ONCE = 8;

/** Sizes from ranges of the MPD, from the file's index, or by asking for each segment. @throws Error in one sentence */
export async function segmentSizes({ segments, sidx }: ParsedPlaylist): Promise<SegmentSizes> {
  const init = sidx?.map ?? segments[0]?.map;
  // Where the MPD names no init segment, mpd-parser gives the whole file.
  const initBytes = init && (init.uri !== '' || init.byterange) ? await sizeOf(init) : null;
  if (sidx) return { ...(await indexed(sidx)), initBytes };
  const sizesBytes: number[] = [];
  for (let from = 0; from < segments.length; from += AT_ONCE)
    sizesBytes.push(...(await Promise.all(segments.slice(from, from + AT_ONCE).map(sizeOf))));
  return { sizesBytes, durationsMs: segments.map(({ duration }) => duration * 1000), initBytes };
}

const sizeOf = async ({ resolvedUri, byterange }: ParsedResource): Promise<number> =>
  byterange?.length ?? resourceAt(resolvedUri).sizeBytes();

async function indexed({ resolvedUri, byterange }: ParsedResource): Promise<Omit<SegmentSizes, 'initBytes'>> {
  if (!byterange) throw new Error(`${resolvedUri}: The MPD does not give the position of the index.`);
  const bytes = await resourceAt(resolvedUri).bytes(byterange);
  try {
    const box = boxesIn(bytes).find(({ type }) => type === 'sidx');
    if (!box) throw new Error('There is no sidx.');
    const { timescale, segments } = segmentIndex(bytes, box);
    return {
      sizesBytes: segments.map(({ sizeBytes }) => sizeBytes),
      durationsMs: segments.map(({ durationTicks }) => (durationTicks / timescale) * 1000),
    };
  } catch (error) {
    const where = `bytes ${byterange.offset}–${byterange.offset + byterange.length - 1}`;
    throw new Error(`${resolvedUri}: The index in ${where} cannot be read: ${(error as Error).message}`);
  }
}
