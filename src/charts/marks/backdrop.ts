import { stallsUntil } from '../../analysis/timeline/spans.ts';
import type { SessionSeries } from '../../analysis/timeline/series.ts';
import type { View } from '../chart.ts';
import type { WashMark } from './mark.ts';
import { thinSpans } from './thinning.ts';

/** What lies behind every lane: stalls from top to bottom, so that cause and effect line up, and unrecorded time. */
export function backdrop(series: SessionSeries, view: View): WashMark[] {
  const seen = ({ fromMs, toMs }: { fromMs: number; toMs: number }): boolean =>
    toMs > view.fromMs && fromMs < view.toMs;
  return [
    { kind: 'wash', what: 'stall', spans: thinSpans(stallsUntil(series, view.nowMs).filter(seen), view) },
    { kind: 'wash', what: 'gap', spans: thinSpans(series.gaps.filter(seen), view) },
  ];
}
