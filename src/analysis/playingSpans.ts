import { PLAYING } from './codes.ts';
import type { SessionSeries } from './series.ts';

export interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

/** When the picture moved, up to `untilMs`: from each `playing` to the next state, unrecorded time taken out. */
export function playingSpans(series: SessionSeries, untilMs: number): Span[] {
  const { atMs, state } = series.states.columns;
  const spans: Span[] = [];
  for (let row = 0; row < series.states.length && atMs[row]! < untilMs; row += 1) {
    if (state[row] !== PLAYING) continue;
    const next = row + 1 < series.states.length ? atMs[row + 1]! : untilMs;
    spans.push(...withoutGaps({ fromMs: atMs[row]!, toMs: Math.min(next, untilMs) }, series.gaps));
  }
  return spans.filter(({ fromMs, toMs }) => toMs > fromMs);
}

/** A crash leaves no `stopped` behind: playing ended where recording ended, and did not go on after the gap. */
function withoutGaps(span: Span, gaps: SessionSeries['gaps']): Span[] {
  const gap = gaps.find(({ fromMs, toMs }) => fromMs < span.toMs && toMs > span.fromMs);
  return [gap ? { fromMs: span.fromMs, toMs: Math.max(span.fromMs, gap.fromMs) } : span];
}

export const totalMs = (spans: readonly Span[]): number =>
  spans.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0);
