import type { SessionSeries } from '../analysis/timeline/series.ts';
import type { Entry } from '../shared/registry.ts';
import type { GlyphId } from './marks/glyphs.ts';
import type { LaneTable, Mark } from './marks/mark.ts';

/**
 * Builds one lane of the chart panel as a pure function of a session's series. Does not depend on a canvas or a chart
 * library: `shell/` draws the returned lane.
 */
export interface Chart extends Entry {
  /** Height of the plot in px: in a low window, in a tall window, and on a narrow page. */
  readonly height: { readonly minPx: number; readonly maxPx: number; readonly narrowPx: number };
  /** Returns whether the lane has data; absent: always. A lane without data takes no space. */
  hasData?(series: SessionSeries): boolean;
  build(series: SessionSeries, view: View): Lane;
  /** Returns the values of one moment for the lane's head. Always the same items, so that the layout is stable. */
  readout(series: SessionSeries, atMs: number): readonly ReadoutItem[];
  /** Returns the numbers in the view as a table of at most `view.maxRows` rows. */
  table(series: SessionSeries, view: TableView): LaneTable;
  /** Finds the element at a click, y in units of the left axis; null or absent if there is none. */
  pick?(series: SessionSeries, point: Point): Pick | null;
  /** Says in one line what is under the pointer; null or absent if there is nothing. */
  tooltip?(series: SessionSeries, point: Point): string | null;
}

export interface View {
  readonly fromMs: number;
  readonly toMs: number;
  /** Ends the drawing at this session time. */
  readonly nowMs: number;
  /** Limits the columns that a lane draws, usually the width in pixels: more rows are thinned. */
  readonly maxPoints: number;
  readonly narrow: boolean;
}

export interface TableView {
  readonly fromMs: number;
  readonly toMs: number;
  readonly maxRows: number;
}

export interface Lane {
  /** Short note beside the title; "" for none. */
  readonly note: string;
  /** Describes the picture as a text alternative. */
  readonly sentence: string;
  readonly left: Axis;
  readonly right: Axis | null;
  /** Drawn in this order. */
  readonly marks: readonly Mark[];
  /** Overrides the chart's height if it depends on the data (rows of rules). */
  readonly heightPx: number | null;
}

/** Gives the values at the bottom and the top edge; with `bottom > top` the values descend. */
export interface Axis {
  readonly scale: 'linear' | 'log';
  readonly bottom: number;
  readonly top: number;
  readonly ticks: readonly Tick[];
}

export interface Tick {
  readonly value: number;
  readonly label: string;
  /** Adds a grid line across the lane. */
  readonly line?: boolean;
  /** Token of the label's colour; `ink-3` if absent. */
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
  /** Reserves this width for the value, in characters. */
  readonly chars: number;
}

interface Point {
  readonly atMs: number;
  readonly y: number;
  readonly msPerPx: number;
}

export interface Pick {
  readonly kind: 'request' | 'decision';
  readonly id: string;
  readonly atMs: number;
}
