import type { SessionSeries, SizesSpan } from './series.ts';

/** A rule is told in the moment in which it is asked, and each has its own reading of the clock. */
const SAME_MOMENT_MS = 5;

/** Where the sizes came from that a rule knew at a moment; null for none. */
export function sizesAt(
  { sizes }: Pick<SessionSeries, 'sizes'>,
  mediaType: SizesSpan['mediaType'],
  atMs: number,
): SizesSpan['from'] {
  const span = sizes.findLast((each) => each.mediaType === mediaType && each.fromMs <= atMs + SAME_MOMENT_MS);
  return span?.from ?? null;
}
