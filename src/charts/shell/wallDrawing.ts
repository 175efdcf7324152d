import type { LaneView } from './laneView.ts';
import type { WallOptions } from './wall.ts';
import type { WallModel } from './wallModel.ts';
import type { WallScreen } from './wallScreen.ts';

/** Brings the model onto the screen. */
export interface WallDrawing {
  /** Draws every lane that can be seen; says whether the session is still being recorded. */
  draw(): boolean;
  /** Crosshair and numbers only: at most once a frame, however often it is asked. */
  place(): void;
  dispose(): void;
}

export interface DrawingParts {
  readonly options: WallOptions;
  readonly model: WallModel;
  readonly screen: WallScreen;
  readonly lanes: readonly LaneView[];
  readonly isSeen: (lane: LaneView) => boolean;
}

export function createWallDrawing({ options, model, screen, lanes, isSeen }: DrawingParts): WallDrawing {
  const { series } = options;
  let frame = 0;
  const placeNow = (): void =>
    screen.place(series, { atMs: model.cursorMs(), pickedMs: model.pickedMs(), range: model.range() });
  const placeInFrame = (): void => {
    frame = 0;
    placeNow();
    options.onCursor?.({ atMs: model.cursorMs(), pinned: model.pinnedMs() !== null });
  };
  return {
    draw() {
      const live = model.catchUp();
      screen.draw(series, {
        range: model.range(),
        endMs: model.endMs(),
        name: model.rangeName(),
        lanes: lanes.filter((lane) => !lane.folded() && isSeen(lane)),
      });
      placeNow();
      return live;
    },
    place: () => void (frame ||= requestAnimationFrame(placeInFrame)),
    dispose: () => cancelAnimationFrame(frame),
  };
}
