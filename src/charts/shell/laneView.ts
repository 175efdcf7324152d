import type { SessionSeries } from '../../analysis/timeline/series.ts';
import { backdrop } from '../marks/backdrop.ts';
import type { Chart, Lane, Pick, View, ReadoutItem } from '../chart.ts';
import { glyphSvg } from './glyphSvg.ts';
import { html, setTo, svg } from '../../ui/dom.ts';
import { createLaneChart } from './laneChart.ts';
import type { Theme } from './theme.ts';

/** One lane on the page: head with fold, numbers and tools, and the canvas under it. */
export interface LaneView {
  readonly chart: Chart;
  readonly element: HTMLElement;
  readonly plot: HTMLElement;
  readonly folded: () => boolean;
  /** Takes no space while there is nothing to draw. */
  admit(series: SessionSeries): void;
  /** Writes what stands beside the canvas. What it returns measures the lane and paints it: all are written before one is measured. */
  write(series: SessionSeries, view: View): (look: { theme: Theme; scale: number }) => void;
  say(series: SessionSeries, atMs: number, narrow: boolean): void;
  pickAt(series: SessionSeries, point: LanePoint): Pick | null;
  /** What is at a point, in one line; null where nothing is. */
  tooltipAt(series: SessionSeries, point: LanePoint): string | null;
  dispose(): void;
}

interface LanePoint {
  readonly atMs: number;
  readonly msPerPx: number;
  readonly clientY: number;
}

export interface LaneActions {
  onFold(): void;
  onTable(laneId: string): void;
  onPicture(laneId: string): void;
}

export function createLaneView(chart: Chart, actions: LaneActions): LaneView {
  const parts = laneElements(chart, actions);
  const readout = createReadout();
  parts.head.insertBefore(readout.element, parts.tools);
  const drawn = createLaneChart(parts.canvas, 1);
  let size = '';
  const placed = ({ atMs, msPerPx, clientY }: LanePoint) => ({
    atMs,
    msPerPx,
    y: drawn.valueAt(clientY - parts.plot.getBoundingClientRect().top),
  });
  return {
    chart,
    element: parts.element,
    plot: parts.plot,
    folded: () => parts.element.classList.contains('folded'),
    admit: (series) => setTo(parts.element, 'hidden', chart.hasData?.(series) === false),
    write(series, view) {
      const lane = laneWithBackdrop(chart, series, view);
      // What is written anew is laid out anew, even when it says the same.
      if (parts.note.textContent !== lane.note) parts.note.textContent = lane.note;
      if (parts.canvas.getAttribute('aria-label') !== lane.sentence)
        parts.canvas.setAttribute('aria-label', lane.sentence);
      setTo(parts.plot.style, 'height', lane.heightPx === null ? '' : `${lane.heightPx}px`);
      return ({ theme, scale }) => {
        const { clientWidth, clientHeight } = parts.plot;
        const heightPx = lane.heightPx ?? clientHeight;
        const wanted = `${clientWidth} ${heightPx} ${scale}`;
        if (wanted !== size) drawn.resize(clientWidth, heightPx, scale);
        size = wanted;
        drawn.draw(lane, view, theme);
      };
    },
    say: (series, atMs, narrow) => readout.show(chart.readout(series, atMs), narrow),
    pickAt: (series, point) => chart.pick?.(series, placed(point)) ?? null,
    tooltipAt: (series, point) => chart.tooltip?.(series, placed(point)) ?? null,
    dispose: () => drawn.dispose(),
  };
}

/** A chart's lane with stalls and gaps behind it. */
export function laneWithBackdrop(chart: Chart, series: SessionSeries, view: View): Lane {
  const lane = chart.build(series, view);
  return { ...lane, marks: [...backdrop(series, view), ...lane.marks] };
}

function laneElements(chart: Chart, actions: LaneActions) {
  const plot = html('div', { class: 'lane-plot' });
  // Until its first drawing (a lane below the window waits for it) the title stands for the sentence.
  const canvas = html('canvas', { role: 'img', 'aria-label': chart.label });
  plot.append(canvas);
  const note = html('span', { class: 'lane-note' });
  const fold = html('button', { class: 'lane-fold', type: 'button', 'aria-expanded': 'true' });
  fold.append(
    svg({ width: 9, height: 9 }, [
      { d: 'M1 2.5 4.5 6.5 8 2.5', fill: 'none', stroke: 'currentColor', 'stroke-width': '1.4' },
    ]),
    chart.label,
  );
  const tools = html('div', { class: 'lane-tools' });
  tools.append(
    tool(`${chart.label} as a table`, 'M1 1.5h10v9h-10zM1 4.5h10M1 7.5h10M4.5 1.5v9', () =>
      actions.onTable(chart.id),
    ),
    tool(`Save ${chart.label} as a picture`, 'M6 1v6.5M3 5l3 3 3-3M1 10.5h10', () =>
      actions.onPicture(chart.id),
    ),
  );
  const head = html('div', { class: 'lane-head' }, html('h2', {}, fold), note, tools);
  const element = html(
    'section',
    { class: 'lane', id: `lane-${chart.id}`, 'aria-label': chart.label },
    head,
    plot,
  );
  fold.addEventListener('click', () => {
    const folded = element.classList.toggle('folded');
    fold.setAttribute('aria-expanded', String(!folded));
    actions.onFold();
  });
  heights(plot, chart.height);
  return { element, head, plot, canvas, note, tools };
}

function heights(plot: HTMLElement, { minPx, maxPx, narrowPx }: Chart['height']): void {
  plot.style.setProperty('--least', `${minPx}px`);
  plot.style.setProperty('--most', `${maxPx}px`);
  plot.style.setProperty('--small', `${narrowPx}px`);
  plot.style.setProperty('--share', String(maxPx - minPx));
}

function tool(label: string, path: string, act: () => void): HTMLButtonElement {
  const button = html('button', { class: 'lane-tool', type: 'button', 'aria-label': label, title: label });
  button.append(
    svg({ width: 12, height: 12 }, [
      { d: path, fill: 'none', stroke: 'currentColor', 'stroke-width': '1.2' },
    ]),
  );
  button.addEventListener('click', act);
  return button;
}

/** The numbers in a lane's head, in places that do not move. */
interface Readout {
  readonly element: HTMLElement;
  show(items: readonly ReadoutItem[], narrow: boolean): void;
}

function createReadout(): Readout {
  const element = html('ul', { class: 'lane-readout' });
  let shape = '';
  let values: Text[] = [];
  const rebuild = (items: readonly ReadoutItem[], narrow: boolean): void => {
    values = items.map(() => document.createTextNode(''));
    element.replaceChildren(...items.map((item, index) => itemElement(item, values[index]!, narrow)));
  };
  return {
    element,
    show(items, narrow) {
      const wanted = items.map(({ glyph, label }) => `${glyph} ${label}`).join() + String(narrow);
      if (wanted !== shape) rebuild(items, narrow);
      shape = wanted;
      items.forEach(({ value }, index) => {
        const node = values[index]!;
        if (value !== null && node.data !== value) node.data = value;
      });
    },
  };
}

function itemElement(
  { glyph, label, short, value, chars }: ReadoutItem,
  node: Text,
  narrow: boolean,
): HTMLElement {
  const item = html('li');
  if (glyph) item.append(glyphSvg(glyph));
  item.append(narrow ? (short ?? label) : label);
  if (value === null) return item;
  const number = html('b', {}, node);
  number.style.minWidth = `${chars}ch`;
  item.append(number);
  return item;
}
