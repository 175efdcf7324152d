import { isStall } from '../../shared/stalls.ts';
import { PLAY_REQUESTED, PLAYING } from './columns.ts';
import type { SessionSeries, Gap } from './series.ts';
import { valueAt } from './table.ts';

/** A stretch of session time. */
export interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

export const totalMs = (spans: readonly Span[]): number =>
  spans.reduce((sum, { fromMs, toMs }) => sum + (toMs - fromMs), 0);

/** Time that at least one of these spans covers, ms: what several cover counts once. */
export function coveredMs(spans: readonly Span[]): number {
  let [sum, doneMs] = [0, -Infinity];
  for (const { fromMs, toMs } of [...spans].sort((one, other) => one.fromMs - other.fromMs)) {
    sum += Math.max(0, toMs - Math.max(fromMs, doneMs));
    doneMs = Math.max(doneMs, toMs);
  }
  return sum;
}

/** Spans that overlap or meet are one; in order of time. */
export function mergedSpans(spans: readonly Span[]): Span[] {
  const merged: { fromMs: number; toMs: number }[] = [];
  for (const { fromMs, toMs } of [...spans].sort((one, other) => one.fromMs - other.fromMs)) {
    const last = merged.at(-1);
    if (last && fromMs <= last.toMs) last.toMs = Math.max(last.toMs, toMs);
    else merged.push({ fromMs, toMs });
  }
  return merged;
}

/** How long a span runs inside others that do not overlap, ms. */
export const overlapMs = ({ fromMs, toMs }: Span, others: readonly Span[]): number =>
  others.reduce(
    (sum, each) => sum + Math.max(0, Math.min(toMs, each.toMs) - Math.max(fromMs, each.fromMs)),
    0,
  );

/**
 * When time ran, up to `untilMs`: from each `playing` of the element to the next state that is not playing. Asking to play what
 * plays ends nothing. Unrecorded time is taken out.
 */
export function playingSpans(
  { states, gaps }: Pick<SessionSeries, 'states'> & { readonly gaps: readonly Pick<Gap, 'fromMs'>[] },
  untilMs: number,
): Span[] {
  const { atMs, state } = states.columns;
  const spans: { fromMs: number; toMs: number }[] = [];
  for (let row = 0; row < states.length && atMs[row]! < untilMs; row += 1) {
    if (state[row] !== PLAYING) continue;
    const fromMs = atMs[row]!;
    while (row + 1 < states.length && state[row + 1] === PLAY_REQUESTED) row += 1;
    const nextMs = row + 1 < states.length ? atMs[row + 1]! : untilMs;
    const toMs = recordedUntil(gaps, fromMs, Math.min(nextMs, untilMs));
    const last = spans.at(-1);
    if (last?.toMs === fromMs) last.toMs = toMs;
    else if (toMs > fromMs) spans.push({ fromMs, toMs });
  }
  return spans;
}

/** What is known of stalls in a series, and until when. */
interface Waits extends Pick<SessionSeries, 'stalls' | 'open' | 'lastMs'> {
  readonly gaps: readonly Pick<Gap, 'fromMs'>[];
}

/** When the picture moved, up to `untilMs`: time ran, and the picture did not stand in it. */
export function movingSpans(series: Pick<SessionSeries, 'states'> & Waits, untilMs: number): Span[] {
  return withoutSpans(playingSpans(series, untilMs), waitsUntil(series, untilMs, 'picture'));
}

/** What is left of spans, in order of time, outside others. */
function withoutSpans(spans: readonly Span[], others: readonly Span[]): Span[] {
  const merged = mergedSpans(others);
  let first = 0;
  return spans.flatMap(({ fromMs, toMs }) => {
    const left: Span[] = [];
    let atMs = fromMs;
    while (first < merged.length && merged[first]!.toMs <= fromMs) first += 1;
    for (let each = first; each < merged.length && merged[each]!.fromMs < toMs; each += 1) {
      if (merged[each]!.fromMs > atMs) left.push({ fromMs: atMs, toMs: merged[each]!.fromMs });
      atMs = Math.max(atMs, merged[each]!.toMs);
    }
    return toMs > atMs ? [...left, { fromMs: atMs, toMs }] : left;
  });
}

/**
 * A crash leaves no `stopped` behind: playing ended where recording ended, and did not go on after the gap. What began
 * inside a gap was recorded all the same, and counts.
 */
function recordedUntil(gaps: readonly Pick<Gap, 'fromMs'>[], sinceMs: number, untilMs: number): number {
  const ends = gaps.flatMap(({ fromMs }) => (fromMs >= sinceMs ? [fromMs] : []));
  return Math.min(untilMs, ...ends);
}

/** From when on a rung is on screen. */
export interface RenderedStep {
  readonly atMs: number;
  readonly rung: number;
  readonly bitrateKbps: number;
}

/** A stretch of moving picture at one rung. */
export interface RenderedSpan extends Span {
  readonly rung: number;
  readonly bitrateKbps: number;
}

/**
 * The rendered rung while the picture moved, in time order. The first rung is on screen from the first frame on, also where
 * its event came a moment later.
 */
export function renderedSpansOf(steps: readonly RenderedStep[], plays: readonly Span[]): RenderedSpan[] {
  const rendered: RenderedSpan[] = [];
  let play = 0;
  steps.forEach(({ atMs, rung, bitrateKbps }, index) => {
    const sinceMs = index === 0 ? 0 : atMs;
    const untilMs = steps[index + 1]?.atMs ?? Infinity;
    while (play < plays.length && plays[play]!.toMs <= sinceMs) play += 1;
    for (let each = play; each < plays.length && plays[each]!.fromMs < untilMs; each += 1) {
      const fromMs = Math.max(sinceMs, plays[each]!.fromMs);
      const toMs = Math.min(untilMs, plays[each]!.toMs);
      if (toMs > fromMs) rendered.push({ fromMs, toMs, rung, bitrateKbps });
    }
  });
  return rendered;
}

/**
 * The times in which the picture or the sound stood for want of media, that began before `untilMs`, however short, each cut off
 * there; the open one counts up to now. Rebuffer time is their sum.
 * @param of `picture`: without those in which the sound alone stood
 */
export function waitsUntil(series: Waits, untilMs: number, of: 'all' | 'picture' = 'all'): Span[] {
  const { atMs, durationMs, sound } = series.stalls.columns;
  const waits: Span[] = [];
  // Waits that overlap are one time: what an earlier one has counts once.
  const push = (atMs: number, endMs: number): void => {
    const [fromMs, toMs] = [Math.max(atMs, waits.at(-1)?.toMs ?? 0), Math.min(untilMs, endMs)];
    if (toMs > fromMs) waits.push({ fromMs, toMs });
  };
  for (let row = 0; row < series.stalls.length && atMs[row]! < untilMs; row += 1) {
    if (of === 'picture' && sound[row] === 1) continue;
    const fromMs = atMs[row]!;
    const lastedMs = valueAt(durationMs, row);
    const toMs = lastedMs === null ? lastSeenMs(series.gaps, fromMs, series.lastMs) : fromMs + lastedMs;
    push(fromMs, toMs);
  }
  const open = series.open.stall;
  if (open && open.atMs < untilMs) push(open.atMs, series.lastMs);
  return waits;
}

/** The waits that are long enough to be stalls: what is counted, listed and drawn. */
export const stallsAmong = (waits: readonly Span[]): Span[] =>
  waits.filter(({ fromMs, toMs }) => isStall(toMs - fromMs));

/** Stalls that began before `untilMs`, each cut off there; the open one is one as soon as it is long enough. */
export const stallsUntil = (series: SessionSeries, untilMs: number): Span[] =>
  stallsAmong(waitsUntil(series, untilMs));

/** Until when something that nobody saw end is known to have gone on: recording broke off there, or the log ends. */
const lastSeenMs = (gaps: Waits['gaps'], sinceMs: number, endMs: number): number =>
  gaps.find(({ fromMs }) => fromMs >= sinceMs)?.fromMs ?? Math.max(sinceMs, endMs);
