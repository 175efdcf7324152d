import type { RuleContext } from './rule.ts';
import { bytesOf } from '../shared/units.ts';

/** What a rule keeps of its context to ask for sizes; a `ladder` event replaces ladder and segmentMs. */
export type SegmentSizes = Pick<RuleContext, 'ladder' | 'segmentMs' | 'sizeBytes'>;

/** Length that a segment is taken to have while the player cannot tell (0): 2 s, the usual one of live streams. */
const ASSUMED_SEGMENT_MS = 2000;

/** Length of a segment, ms, always above 0: an unknown one is taken to be 2 s. */
export const segmentMsOf = ({ segmentMs }: Pick<RuleContext, 'segmentMs'>): number =>
  segmentMs > 0 ? segmentMs : ASSUMED_SEGMENT_MS;

/**
 * Bytes of a segment at a rung, always above 0: as known, or else bitrate × duration, which is what a segment of that
 * rung has on average. A rule that uses it says which of the two it was (`sizeNote`). Throws on a rung outside the ladder.
 */
export function segmentBytes(sizes: SegmentSizes, segment: number | null, rung: number): number {
  const known = segment === null ? null : sizes.sizeBytes(segment, rung);
  if (known !== null && known > 0) return known;
  const { ladder } = sizes;
  const step = ladder[rung];
  if (!step) throw new Error(`rung ${rung} is outside a ladder of ${ladder.length}`);
  return bytesOf(step.bitrateKbps, segmentMsOf(sizes));
}

/** Whether the sizes of this segment are known at every rung, so that nothing of it is assumed. */
export function sizesAreKnown(sizes: SegmentSizes, segment: number | null): boolean {
  if (segment === null) return false;
  for (let rung = 0; rung < sizes.ladder.length; rung += 1) {
    if (!((sizes.sizeBytes(segment, rung) ?? 0) > 0)) return false;
  }
  return true;
}

/** The half sentence that a rule appends when it had to assume sizes; empty when all are known. */
export const sizeNote = (sizes: SegmentSizes, segment: number | null): string =>
  sizesAreKnown(sizes, segment) ? '' : ' (sizes not known: bitrate × duration assumed)';
