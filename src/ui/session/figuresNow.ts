import { keyFigures } from '../../analysis/figures/keyFigures.ts';
import type { KeyFigures } from '../../analysis/figures/figure.ts';
import type { SessionSeries } from '../../analysis/timeline/series.ts';

let last: { series: SessionSeries; lastMs: number; events: number; figures: KeyFigures } | null = null;

/** The key figures of now, computed once for all views that show some of them. */
export function figuresNow(series: SessionSeries): KeyFigures {
  const { lastMs } = series;
  const events = series.ids.length;
  if (last?.series !== series || last.lastMs !== lastMs || last.events !== events)
    last = { series, lastMs, events, figures: keyFigures(series) };
  return last.figures;
}
