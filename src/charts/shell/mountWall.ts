import './wall.css';
import { pick } from '../../registry.ts';
import { CHARTS } from '../registry.ts';
import { createLaneView, type LaneActions } from './laneView.ts';
import { createOverview } from './overview.ts';
import { pictureOf } from './pictureOf.ts';
import { createRedrawPolicy } from './redrawPolicy.ts';
import { savePicture } from './savePicture.ts';
import { createTableDialog } from './tableDialog.ts';
import type { Wall, WallOptions } from './wall.ts';
import { createWallActions } from './wallActions.ts';
import { createWallDrawing } from './wallDrawing.ts';
import { listenToKeys } from './wallKeys.ts';
import { createWallModel } from './wallModel.ts';
import { listenToPointer } from './wallPointer.ts';
import { createWallScreen, NARROW_PX } from './wallScreen.ts';
import { watchLook } from './watchLook.ts';
import { seenOf, whenSeen } from './whenSeen.ts';

const MOST_TABLE_ROWS = 1000;

/**
 * Puts the chart wall into `host` (a block element with a width). Needs the tokens of `src/ui/tokens.css`. Draws
 * when data or view change, at most 4 times a second, and not at all while nobody can see it.
 */
export function mountWall(host: HTMLElement, options: WallOptions): Wall {
  const { series } = options;
  host.classList.add('lanes');
  const model = createWallModel(options, host.clientWidth < NARROW_PX);
  const dialog = createTableDialog();
  const lanes = CHARTS.map((chart) => createLaneView(chart, laneActions()));
  const show: Wall['setRange'] = (range) => {
    model.show(range);
    policy.now();
  };
  const overview = createOverview({ onName: show, onRange: show });
  const screen = createWallScreen(host, lanes, overview);
  host.append(dialog.element);
  const seen = seenOf(lanes, () => policy.now());
  const drawing = createWallDrawing({ options, model, screen, lanes, isSeen: seen.has });
  const policy = createRedrawPolicy(() => {
    // A recording moves on even when nothing happens in it.
    if (drawing.draw()) policy.soon();
  });
  const actions = createWallActions({
    series,
    model,
    screen,
    onMoved: drawing.place,
    onShown: policy.now,
    onPick: (picked) => options.onPick?.(picked),
  });
  const stops = [...listen(), seen.dispose, drawing.dispose, policy.dispose, overview.dispose];
  policy.now();
  return wallOf();

  function laneActions(): LaneActions {
    return {
      onFold: () => policy.now(),
      onTable: (id) => dialog.show(pick(CHARTS, id).label, table(id)),
      onPicture: (id) => void png(id).then((picture) => savePicture(picture, id)),
    };
  }

  function listen(): (() => void)[] {
    return [
      listenToPointer(screen.body, { lanes, axis: screen.axis }, actions.pointer),
      listenToKeys(host, screen.axis, actions.keys),
      whenSeen(host, policy.setVisible),
      watchLook(host, () => {
        screen.restyle();
        policy.now();
      }),
    ];
  }

  function table(laneId: string) {
    return pick(CHARTS, laneId).table(series, { ...model.range(), mostRows: MOST_TABLE_ROWS });
  }

  function png(laneId: string): Promise<Blob> {
    const heightPx = lanes.find(({ chart }) => chart.id === laneId)?.plot.clientHeight ?? 0;
    const view = screen.view(series, model.range());
    return pictureOf(pick(CHARTS, laneId), { host, series, view, widthPx: screen.widthPx(), heightPx });
  }

  function wallOf(): Wall {
    return {
      redraw: policy.soon,
      setRange: show,
      range: model.range,
      setCursor: actions.pin,
      stepDecision: actions.stepDecision,
      lanes: CHARTS.map(({ id, label }) => ({ id, title: label })),
      png,
      table,
      dispose() {
        for (const stop of stops) stop();
        for (const lane of lanes) lane.dispose();
        host.replaceChildren();
        host.classList.remove('lanes');
      },
    };
  }
}
