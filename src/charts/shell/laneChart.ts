import {
  Chart,
  type ChartConfiguration,
  type Scale,
  DatasetController,
  Element,
  LinearScale,
  LogarithmicScale,
} from 'chart.js';
import type { Axis, Lane, View } from '../chart.ts';
import { timeTicks } from '../axis.ts';
import type { Theme } from './theme.ts';
import type { Mark } from '../marks/mark.ts';
import type { Range } from '../range.ts';
import type { Frame } from './paint/frame.ts';
import { paint, paintTimeGrid } from './paint/paint.ts';

/** A lane on a canvas. */
interface LaneChart {
  draw(lane: Lane, view: View, theme: Theme): void;
  /** In CSS px; the canvas gets `scale` times as many. */
  resize(widthPx: number, heightPx: number, scale: number): void;
  /** Value of the left axis at a height, for picking. */
  valueAt(yPx: number): number;
  dispose(): void;
}

/** Px between two labels of the time axis. */
const TICK_WIDTH_PX = 76;

interface State {
  lane: Lane | null;
  theme: Theme | null;
}

/** Puts a Chart.js chart on the canvas: two value axes with fixed gutters, and one dataset that paints marks. */
export function createLaneChart(canvas: HTMLCanvasElement, scale: number): LaneChart {
  const state: State = { lane: null, theme: null };
  const chart = new Chart(canvas, configuration(state, scale));
  let layout = '';
  return {
    draw(lane, view, theme) {
      Object.assign(state, { lane, theme });
      const plotPx = chart.width - theme.gutterLeftPx - theme.gutterRightPx;
      const ticksMs = timeTicks(view.fromMs, view.toMs, Math.max(2, Math.floor(plotPx / TICK_WIDTH_PX)));
      drawings.set(chart, { range: view, ticksMs, marks: lane.marks, theme });
      // Axes rarely change: only then Chart.js lays out again, else it just draws.
      const wanted = JSON.stringify([lane.left, lane.right, chart.width, chart.height, theme.gutterLeftPx]);
      const stale = wanted !== layout || theme.colour('ink') !== chart.options.color;
      layout = wanted;
      if (stale) relayout(chart, lane, theme);
      else chart.draw();
    },
    resize(widthPx, heightPx, ratio) {
      chart.options.devicePixelRatio = ratio;
      chart.resize(widthPx, heightPx);
      layout = '';
    },
    valueAt: (yPx) => chart.scales['left']!.getValueForPixel(yPx) ?? 0,
    dispose: () => chart.destroy(),
  };
}

function relayout(chart: Chart<'marks'>, lane: Lane, theme: Theme): void {
  const isRows = lane.left.bottom > lane.left.top;
  chart.options.color = theme.colour('ink');
  // Space for half a label at either end.
  chart.options.layout = { autoPadding: false, padding: isRows ? 0 : { top: 8, bottom: 6 } };
  Object.assign(chart.options.scales!['left']!, scaleOf(lane.left));
  Object.assign(chart.options.scales!['right']!, scaleOf(lane.right ?? { ...lane.left, ticks: [] }));
  chart.update('none');
}

const scaleOf = ({ scale, bottom, top }: Axis): object => ({
  type: scale === 'log' ? 'logarithmic' : 'linear',
  min: Math.min(bottom, top),
  max: Math.max(bottom, top),
  reverse: bottom > top,
});

function configuration(state: State, scale: number): ChartConfiguration<'marks'> {
  return {
    type: MarksController.id,
    data: { datasets: [{ data: [], yAxisID: 'left', xAxisID: 'x' }] },
    options: {
      animation: false,
      responsive: false,
      maintainAspectRatio: false,
      parsing: false,
      normalized: true,
      events: [],
      devicePixelRatio: scale,
      scales: {
        x: { type: 'linear', display: false, min: 0, max: 1 },
        left: valueScale(state, 'left'),
        right: valueScale(state, 'right'),
      },
    },
  };
}

function valueScale(state: State, side: 'left' | 'right') {
  const axis = (): Axis | null => state.lane?.[side] ?? null;
  const tick = (index: number) => axis()?.ticks[index];
  const colour = (tone: string): string => state.theme?.colour(tone) ?? '';
  return {
    type: 'linear' as const,
    axis: 'y' as const,
    position: side,
    border: { display: false },
    afterBuildTicks: (scale: Scale) => {
      scale.ticks = (axis()?.ticks ?? []).map((tick) => ({ value: tick.value, label: tick.label }));
    },
    afterFit: (scale: Scale) => {
      scale.width = state.theme?.[side === 'left' ? 'gutterLeftPx' : 'gutterRightPx'] ?? 0;
      // The lane's own padding has space for half a label; Chart.js would take as much again.
      scale.paddingTop = 0;
      scale.paddingBottom = 0;
    },
    grid: {
      drawTicks: false,
      drawOnChartArea: side === 'left',
      color: ({ index }: { index: number }) =>
        tick(index)?.line ? colour(tick(index)?.value === 0 ? 'line' : 'grid') : 'transparent',
    },
    ticks: {
      autoSkip: false,
      padding: 8,
      callback: (_: unknown, index: number) => tick(index)?.label ?? '',
      color: ({ index }: { index: number }) => colour(tick(index)?.tone ?? 'ink-3'),
      font: ({ index }: { index: number }) => fontOf(state.theme, tick(index)?.strong === true),
    },
  };
}

/** Chart.js takes a font apart in its own way; the tokens give it whole. */
function fontOf(theme: Theme | null, strong: boolean): { family: string; size: number; weight: number } {
  const [, , ...family] = (theme?.font() ?? '400 11px sans-serif').split(' ');
  return { family: family.join(' '), size: theme?.textPx ?? 11, weight: strong ? 600 : 400 };
}

/** What a lane's chart shows now. */
interface Drawing {
  readonly range: Range;
  readonly ticksMs: readonly number[];
  readonly marks: readonly Mark[];
  readonly theme: Theme;
}

/** Beside Chart.js' own data, which it would wrap and watch. */
const drawings = new WeakMap<Chart<'marks'>, Drawing>();

declare module 'chart.js' {
  interface ChartTypeRegistry {
    marks: {
      chartOptions: object;
      datasetOptions: { xAxisID: string; yAxisID: string };
      defaultDataPoint: never;
      metaExtensions: object;
      parsedDataType: object;
      scales: 'linear' | 'logarithmic';
    };
  }
}

/** Chart.js insists on an element for data (`buildOrUpdateControllers`); there are no data, so none is ever made. */
class NoElement extends Element {
  static id = 'no-element';
}

/**
 * A Chart.js dataset that paints a lane's marks itself. Chart.js makes one element object per datum and resolves
 * its options at each update; for tens of thousands of requests that costs more than drawing them (its
 * performance guide: "data structure", "parsing"). Scales, layout, pixel ratio and pictures stay Chart.js' own.
 */
class MarksController extends DatasetController<'marks'> {
  static readonly id = 'marks';
  static readonly defaults = { datasetElementType: false, dataElementType: NoElement.id };

  override update(): void {}

  override draw(): void {
    const drawing = drawings.get(this.chart as Chart<'marks'>);
    if (!drawing) return;
    const frame = frameOf(this.chart, drawing);
    paintTimeGrid(frame, drawing.ticksMs);
    paint(frame, drawing.marks);
  }
}

function frameOf(chart: Chart, { range, theme }: Drawing): Frame {
  const { left, right } = chart.chartArea;
  const pxPerMs = (right - left) / (range.toMs - range.fromMs);
  const heights = { left: heightsOf(chart.scales['left']!), right: heightsOf(chart.scales['right']!) };
  return {
    context: chart.ctx,
    theme,
    leftPx: left,
    rightPx: right,
    heightPx: chart.height,
    x: (ms) => left + (ms - range.fromMs) * pxPerMs,
    y: (value, axis) => heights[axis](value),
  };
}

/** Chart.js' own function, without its detours where the axis is linear: a day asks for thousands of heights. */
function heightsOf(scale: Scale): (value: number) => number {
  if (scale.type !== 'linear') return (value) => scale.getPixelForValue(value);
  const { min, max } = scale;
  const bottomPx = scale.getPixelForValue(min);
  const pxPerUnit = (scale.getPixelForValue(max) - bottomPx) / (max - min);
  return (value) => bottomPx + (value - min) * pxPerUnit;
}

Chart.register(MarksController, NoElement, LinearScale, LogarithmicScale);
