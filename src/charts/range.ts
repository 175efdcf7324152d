/** What the chart panel shows, ms of session time. */
export interface Range {
  readonly fromMs: number;
  readonly toMs: number;
}
export type RangeName = '1min' | '2.5min' | 'all';

export const RANGES: readonly { readonly name: RangeName; readonly label: string; readonly ms: number }[] = [
  { name: '1min', label: '1 min', ms: 60_000 },
  { name: '2.5min', label: '2½ min', ms: 150_000 },
  { name: 'all', label: 'All', ms: Infinity },
];
/** Nothing happens on a shorter scale that a page could have recorded. */
const MIN_MS = 2000;

/** How long the axis of a young live session is: most of it is filled, and it changes seldom. */
const YOUNG_MS = [15_000, 30_000, 60_000, 90_000, 150_000];

/**
 * The span of a named range: the last minutes up to `endMs`, or around `aroundMs` when a moment is pinned. A live session
 * that is shorter than the window shows all of itself.
 */
export function namedRange(
  name: RangeName,
  { endMs, live, aroundMs }: { endMs: number; live: boolean; aroundMs: number | null },
): Range {
  const lengthMs = RANGES.find((range) => range.name === name)!.ms;
  if (lengthMs >= endMs) {
    const keepMs = live && Number.isFinite(lengthMs) ? (YOUNG_MS.find((ms) => ms >= endMs) ?? 0) : 0;
    return { fromMs: 0, toMs: Math.max(endMs, keepMs, MIN_MS) };
  }
  const toMs = aroundMs === null ? endMs : Math.min(endMs, Math.max(lengthMs, aroundMs + lengthMs / 2));
  return { fromMs: toMs - lengthMs, toMs };
}

/** A range a person asked for, in order, long enough and inside the session. */
export function rangeWithin({ fromMs, toMs }: Range, endMs: number): Range {
  const lengthMs = Math.min(Math.max(MIN_MS, Math.abs(toMs - fromMs)), Math.max(endMs, MIN_MS));
  const from = Math.min(Math.max(0, Math.min(fromMs, toMs)), Math.max(0, endMs - lengthMs));
  return { fromMs: from, toMs: from + lengthMs };
}

export type Grip = 'from' | 'to' | 'whole' | 'new';

/** A range after its handle, or the whole of it, was dragged from one moment to another. */
export function draggedRange(
  range: Range,
  { grip, startMs, nowMs, endMs }: { grip: Grip; startMs: number; nowMs: number; endMs: number },
): Range {
  const byMs = nowMs - startMs;
  if (grip === 'new') return rangeWithin({ fromMs: startMs, toMs: nowMs }, endMs);
  if (grip === 'from') return rangeWithin({ fromMs: Math.min(nowMs, range.toMs), toMs: range.toMs }, endMs);
  if (grip === 'to') return rangeWithin({ fromMs: range.fromMs, toMs: Math.max(nowMs, range.fromMs) }, endMs);
  return rangeWithin({ fromMs: range.fromMs + byMs, toMs: range.toMs + byMs }, endMs);
}

/** Keeps the length and moves just far enough that a moment is seen. */
export function rangeShowing({ fromMs, toMs }: Range, atMs: number, endMs: number): Range {
  if (atMs >= fromMs && atMs <= toMs) return { fromMs, toMs };
  const half = (toMs - fromMs) / 2;
  return rangeWithin({ fromMs: atMs - half, toMs: atMs + half }, endMs);
}
