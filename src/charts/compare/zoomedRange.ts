import { rangeWithin, type Range } from '../range.ts';

/** A range after zooming: `factor` below 1 shows less, with `aboutMs` where it was on the screen. */
export function zoomedRange(
  { fromMs, toMs }: Range,
  { factor, aboutMs, endMs }: { factor: number; aboutMs: number; endMs: number },
): Range {
  const lengthMs = Math.min((toMs - fromMs) * factor, Math.max(endMs, 1));
  const share = (aboutMs - fromMs) / (toMs - fromMs);
  const from = aboutMs - share * lengthMs;
  return rangeWithin({ fromMs: Math.max(0, from), toMs: Math.max(0, from) + lengthMs }, endMs);
}

/** A range of the same length, moved; it stops at both ends. */
export function pannedRange({ fromMs, toMs }: Range, byMs: number, endMs: number): Range {
  const from = Math.min(Math.max(0, fromMs + byMs), Math.max(0, endMs - (toMs - fromMs)));
  return { fromMs: from, toMs: from + toMs - fromMs };
}
