import type { SessionEvent } from '../../telemetry/schema/sessionLog.ts';
import type { SessionSeries } from '../../analysis/timeline/series.ts';
import type { Pick } from '../chart.ts';
import type { LaneTable } from '../marks/mark.ts';
import type { Range, RangeName } from '../range.ts';

/** The charts of one session on one time axis. Made by `mountChartPanel(host, options)`. */
export interface ChartPanel {
  /** Something changed; drawn within a second (at once when the last drawing is long ago), never when hidden. */
  redraw(): void;
  /** `1min` and `2.5min` follow a live session; a span of ms stays where it is. */
  setRange(range: PanelRange): void;
  /** What is shown, ms of session time. */
  range(): Range;
  /** Pins the crosshair and scrolls to it; null lets it go (it then rests on the newest moment). */
  setCursor(atMs: number | null): void;
  /** Pins the previous (-1) or next (1) decision and picks it, as `[` and `]` do. */
  stepDecision(step: -1 | 1): void;
  /** Lanes that have something to show, by id, for menus. */
  lanes(): readonly { readonly id: string; readonly title: string }[];
  /** The lane as a picture at twice the size, with title, range and legend printed. */
  png(laneId: string): Promise<Blob>;
  /** The lane's numbers in the range shown, as rows of text. Also behind the lane's own "Table" button. */
  table(laneId: string): LaneTable;
  dispose(): void;
}

export type PanelRange = RangeName | Range;
export type PanelPick = Pick;
export type { LaneTable };

export interface ChartPanelOptions {
  readonly series: SessionSeries;
  /** Session time now while recording; null once it ended. Absent for an opened session. Drives one drawing a second. */
  readonly nowMs?: () => number | null;
  /** `telemetry.openEvents`: asked before each drawing, so that requests in flight are seen. */
  readonly openEvents?: () => readonly SessionEvent[];
  /** The crosshair moved: null when it rests on the newest moment. Called at most once per frame. */
  readonly onCursor?: (cursor: PanelCursor) => void;
  /** A request or decision was picked by click, Enter, `[` or `]`. Load the event by id. */
  readonly onPick?: (pick: PanelPick) => void;
}

export interface PanelCursor {
  readonly atMs: number | null;
  readonly pinned: boolean;
}
