import './chartPanel.css';
import { pick as byId } from '../../shared/registry.ts';
import { CHARTS } from '../registry.ts';
import { createLaneView, type LaneActions, type LaneView } from './laneView.ts';
import { listenToPage, createRedrawPolicy, createPanelDrawing, seenOf } from './redraw.ts';
import { listenToPerson, createPanelActions } from './panelActions.ts';
import { createOverview } from './overview.ts';
import { pictureOf, savePicture } from './picture.ts';
import { createTableDialog } from './tableDialog.ts';
import type { ChartPanel, ChartPanelOptions } from './chartPanel.ts';
import { createPanelModel } from './panelModel.ts';
import { createPanelScreen, NARROW_PX, type PanelScreen } from './panelScreen.ts';

const MAX_TABLE_ROWS = 1000;

/**
 * Puts the chart panel into `host` (a block element with a width). Needs the tokens of `src/ui/tokens.css`. Draws
 * when data or view change, at most 4 times a second, and not at all while nobody can see it.
 */
export function mountChartPanel(host: HTMLElement, options: ChartPanelOptions): ChartPanel {
  const { series } = options;
  host.classList.add('lanes');
  const model = createPanelModel(options, host.clientWidth < NARROW_PX);
  const dialog = createTableDialog();
  const lanes = createLanes({
    onFold: () => policy.now(),
    onTable: (id) => dialog.show(byId(CHARTS, id).label, panel.table(id)),
    onPicture: (id) => void panel.png(id).then((blob) => savePicture(blob, `pitwall-${id}`)),
  });
  const overview = createOverview({
    onName: (name) => actions.show(name),
    onRange: (to) => actions.show(to),
  });
  const screen = createPanelScreen(host, lanes, overview);
  host.append(dialog.element);
  const seen = seenOf(lanes, () => policy.now());
  const drawing = createPanelDrawing({ series, model, screen, lanes, isSeen: seen.has });
  const policy = createRedrawPolicy(() => drawing.draw() && policy.soon());
  const actions = createPanelActions({ options, model, drawing, policy });
  const parts = { host, lanes, screen, model, series, actions, drawing, policy };
  const stops = [listenToPerson(parts), listenToPage(parts), seen.dispose, policy.dispose, drawing.dispose];
  const panel: ChartPanel = {
    redraw: policy.soon,
    setRange: actions.show,
    range: model.range,
    setCursor: actions.pin,
    stepDecision: actions.stepDecision,
    lanes: () =>
      lanes.flatMap(({ chart, element }) => (element.hidden ? [] : [{ id: chart.id, title: chart.label }])),
    png: (id) =>
      pictureOf(byId(CHARTS, id), {
        host,
        series,
        ...pictureSize(screen, lanes, id),
        view: screen.view(series, model.range()),
      }),
    table: (id) => byId(CHARTS, id).table(series, { ...model.range(), maxRows: MAX_TABLE_ROWS }),
    dispose() {
      for (const stop of stops) stop();
      for (const part of [...lanes, overview]) part.dispose();
      host.replaceChildren();
      host.classList.remove('lanes');
    },
  };
  policy.now();
  return panel;
}

const createLanes = (actions: LaneActions): LaneView[] =>
  CHARTS.map((chart) => createLaneView(chart, actions));

/** As wide as on the page; a folded lane takes its least height. */
function pictureSize(
  screen: PanelScreen,
  lanes: readonly LaneView[],
  id: string,
): { widthPx: number; heightPx: number } {
  const lane = lanes.find(({ chart }) => chart.id === id)!;
  return { widthPx: screen.widthPx(), heightPx: lane.plot.clientHeight || lane.chart.height.minPx };
}
