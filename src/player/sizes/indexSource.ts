import type { MediaPlayerClass } from 'dashjs';
import { streamProcessors } from '../streamProcessors.ts';
import type { SizesSource } from './sizesSource.ts';

/**
 * Sizes from the stream's own index: dash.js reads the `sidx` of every representation before the first segment of a
 * period (RepresentationController.updateData), so there is nothing to load. Only the controller's own representations
 * have the segments; those that rules are given have not.
 */
export function indexSource(player: MediaPlayerClass): SizesSource {
  return {
    lookUp: () => {},
    known(mediaType, representationId) {
      const processor = streamProcessors(player).find((each) => each.getType() === mediaType);
      const representation = processor?.getRepresentationController().getRepresentationById(representationId);
      const sizesBytes = rangeSizes(representation?.segments);
      return sizesBytes && { from: 'sidx', firstSegment: 0, sizesBytes };
    },
  };
}

/** The part of a dash.js segment that we read. "first-last" in bytes where segments are ranges of one file. */
interface RangedSegment {
  readonly mediaRange?: string | null;
}

/** Sizes of segments that are byte ranges, in bytes; null when one of them is none. */
export function rangeSizes(segments: readonly RangedSegment[] | null | undefined): readonly number[] | null {
  if (!segments || segments.length === 0) return null;
  const sizes = segments.map(({ mediaRange }) => sizeOf(mediaRange ?? ''));
  return sizes.every((size) => size !== null) ? sizes : null;
}

function sizeOf(range: string): number | null {
  const [, first, last] = /^(\d+)-(\d+)$/.exec(range) ?? [];
  if (first === undefined || last === undefined) return null;
  const size = Number(last) - Number(first) + 1;
  return Number.isSafeInteger(size) && size > 0 ? size : null;
}
