import type { SessionSeries } from '../analysis/series.ts';
import type { Entry } from '../registry.ts';
import type { GlyphId } from './glyphs.ts';
import type { LaneTable, Mark } from './mark.ts';

/**
 * The contract of a chart, and the manual of this folder: one lane of the chart panel as a pure function of a session's
 * series. It knows no canvas and no chart library; `shell/` draws what it answers.
 */
export interface Chart extends Entry {
  /** Height of the plot in px: in a low window, in a tall one, and on a narrow page. */
  readonly height: { readonly minPx: number; readonly maxPx: number; readonly narrowPx: number };
  /** Whether there is anything to draw; without it there always is. A lane without takes no room. */
  isTold?(series: SessionSeries): boolean;
  build(series: SessionSeries, view: View): Lane;
  /** What the lane's head says about one moment. Always the same items, so that nothing jumps. */
  readout(series: SessionSeries, atMs: number): readonly ReadoutItem[];
  /** The numbers in the view for people who read a table; at most `view.maxRows` rows. */
  table(series: SessionSeries, view: TableView): LaneTable;
  /** What lies under a click, y in units of the left axis; null or absent when nothing can be picked. */
  pick?(series: SessionSeries, point: Point): Pick | null;
}

export interface View {
  readonly fromMs: number;
  readonly toMs: number;
  /** Nothing is drawn later than this. */
  readonly nowMs: number;
  /** Columns a lane may draw (pixels, usually): more rows than this are thinned. */
  readonly maxPoints: number;
  readonly narrow: boolean;
}

export interface TableView {
  readonly fromMs: number;
  readonly toMs: number;
  readonly maxRows: number;
}

export interface Lane {
  /** Small words beside the title; "" when there are none. */
  readonly note: string;
  /** What the picture shows, for people who do not see it. */
  readonly sentence: string;
  readonly left: Axis;
  readonly right: Axis | null;
  /** Drawn in this order. */
  readonly marks: readonly Mark[];
  /** Overrides the chart's height where the data decides (rows of rules). */
  readonly heightPx: number | null;
}

/** Values at the bottom and at the top edge; `bottom > top` makes rows that count downwards. */
export interface Axis {
  readonly scale: 'linear' | 'log';
  readonly bottom: number;
  readonly top: number;
  readonly ticks: readonly Tick[];
}

export interface Tick {
  readonly value: number;
  readonly label: string;
  /** A grid line across the lane. */
  readonly line?: boolean;
  /** Token of the label's colour; `ink-3` when absent. */
  readonly tone?: string;
  readonly strong?: boolean;
}

export interface ReadoutItem {
  readonly glyph: GlyphId | null;
  readonly label: string;
  /** Shorter label for a narrow page. */
  readonly short?: string;
  /** null: the item is a legend only. */
  readonly value: string | null;
  /** Room kept for the value, in characters. */
  readonly chars: number;
}

export interface Point {
  readonly atMs: number;
  readonly y: number;
  readonly msPerPx: number;
}

export interface Pick {
  readonly kind: 'request' | 'decision';
  readonly id: string;
  readonly atMs: number;
}
