import type { LadderSpan, SessionSeries } from './series.ts';

/** The ladder in use at a moment: the last one read by then, else the first one; null when there is none. */
export function ladderAt(
  { ladders }: SessionSeries,
  mediaType: 'video' | 'audio',
  atMs: number,
): LadderSpan | null {
  const mine = ladders.filter((each) => each.mediaType === mediaType);
  return mine.findLast(({ fromMs }) => fromMs <= atMs) ?? mine[0] ?? null;
}
