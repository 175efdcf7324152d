import { Chart, DatasetController, Element, LinearScale, LogarithmicScale, type Scale } from 'chart.js';
import type { Mark } from '../mark.ts';
import type { Range } from '../range.ts';
import type { Frame } from './frame.ts';
import { paint, paintTimeGrid } from './paint.ts';
import type { Theme } from './theme.ts';

/** What a lane's chart shows now. */
export interface Drawing {
  readonly range: Range;
  readonly ticksMs: readonly number[];
  readonly marks: readonly Mark[];
  readonly theme: Theme;
}

/** Beside Chart.js' own data, which it would wrap and watch. */
export const drawings = new WeakMap<Chart<'marks'>, Drawing>();

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
export { MarksController };
