import type { SessionSeries } from '../../analysis/timeline/series.ts';
import type { LaneView } from './laneView.ts';
import type { PanelModel } from './panelModel.ts';
import type { PanelScreen } from './panelScreen.ts';

/** Brings the page up to date with the series, as cheaply as it can. */
export interface PanelDrawing {
  /** Draws what changed and is seen; says whether the session is still being recorded. */
  draw(): boolean;
  /** Moves crosshair and numbers, at most once per frame; no chart is redrawn. */
  place(): void;
  /** Tokens or sizes changed: everything is drawn anew next time. */
  restyle(): void;
  dispose(): void;
}

export function createPanelDrawing({
  series,
  model,
  screen,
  lanes,
  isSeen,
}: {
  series: SessionSeries;
  model: PanelModel;
  screen: PanelScreen;
  lanes: readonly LaneView[];
  isSeen: (lane: LaneView) => boolean;
}): PanelDrawing {
  const stale = new Set<LaneView>(lanes);
  let shown = '';
  let drawnToMs = 0;
  let frame = 0;
  const place = (): void =>
    screen.place(series, { atMs: model.cursorMs(), pickedMs: model.pickedMs(), range: model.range() });
  return {
    draw() {
      const live = model.catchUp();
      const range = model.range();
      const now = `${range.fromMs} ${range.toMs} ${screen.widthPx()}`;
      const changedMs = Math.min(series.touchedFromMs, drawnToMs);
      if (now !== shown || changedMs <= range.toMs) for (const lane of lanes) stale.add(lane);
      for (const lane of lanes) lane.admit(series);
      const due = lanes.filter((lane) => stale.has(lane) && !lane.folded() && isSeen(lane));
      screen.draw(series, { range, endMs: model.endMs(), name: model.rangeName(), lanes: due });
      for (const lane of due) stale.delete(lane);
      [shown, drawnToMs, series.touchedFromMs] = [now, series.lastMs, Infinity];
      place();
      return live;
    },
    place() {
      frame ||= requestAnimationFrame(() => {
        frame = 0;
        place();
      });
    },
    restyle() {
      screen.restyle();
      shown = '';
    },
    dispose: () => cancelAnimationFrame(frame),
  };
}
