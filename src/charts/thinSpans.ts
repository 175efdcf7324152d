import type { Span } from '../analysis/timeline/spans.ts';
import type { View } from './chart.ts';

/** Spans in time order, those run together that less than a pixel divides: no view gets more than it has columns. */
export function thinSpans(spans: readonly Span[], view: View): Span[] {
  const pixelMs = (view.toMs - view.fromMs) / view.maxPoints;
  const thin: { fromMs: number; toMs: number }[] = [];
  for (const { fromMs, toMs } of spans) {
    const last = thin.at(-1);
    if (last && fromMs - last.toMs < pixelMs) last.toMs = Math.max(last.toMs, toMs);
    else thin.push({ fromMs, toMs });
  }
  return thin;
}
