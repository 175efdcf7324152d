/** The part of a dash.js segment that we read. "first-last" in bytes where segments are ranges of one file. */
export interface RangedSegment {
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
