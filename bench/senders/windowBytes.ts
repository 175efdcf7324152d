import type { Progress } from '../load/loadLine.ts';

/** Bytes between two moments, each side taken from the last line before it. null when the lines do not reach that far. */
export function windowBytes(
  progress: readonly Progress[],
  fromUnixMs: number,
  untilUnixMs: number,
): number | null {
  const before = (at: number) => progress.findLast(({ atUnixMs }) => atUnixMs <= at);
  const [first, last, end] = [before(fromUnixMs), before(untilUnixMs), progress.at(-1)];
  if (!first || !last || !end || end.atUnixMs < untilUnixMs) return null;
  return last.bytes - first.bytes;
}
