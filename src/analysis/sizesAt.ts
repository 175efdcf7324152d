import type { SessionSeries, SizesSpan } from './series.ts';

/** A rule gets its input at the moment of the question, but each of the two reads the clock for itself. */
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
