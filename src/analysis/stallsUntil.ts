import { lastSeenMs } from './gapsOf.ts';
import type { Span } from './playingSpans.ts';
import type { SessionSeries } from './series.ts';
import { valueAt } from './table.ts';

/** Stalls that began before `untilMs`, each cut off there; the open one counts up to now. */
export function stallsUntil(series: SessionSeries, untilMs: number): Span[] {
  const { atMs, durationMs } = series.stalls.columns;
  const stalls: Span[] = [];
  for (let row = 0; row < series.stalls.length && atMs[row]! < untilMs; row += 1) {
    const fromMs = atMs[row]!;
    const lastedMs = valueAt(durationMs, row);
    const toMs = lastedMs === null ? lastSeenMs(series.gaps, fromMs, series.lastMs) : fromMs + lastedMs;
    stalls.push({ fromMs, toMs: Math.min(untilMs, toMs) });
  }
  const open = series.open.stall;
  if (open && open.atMs < untilMs) stalls.push({ fromMs: open.atMs, toMs: Math.min(untilMs, series.lastMs) });
  return stalls.filter(({ fromMs, toMs }) => toMs > fromMs);
}
