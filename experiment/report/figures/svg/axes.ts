import type { Axis, Tick } from '../../../../src/charts/chart.ts';
import { element, px, tone, WIDTH } from './element.ts';
import { text, TICK_SIZE, fitted, textWidth } from './text.ts';

/** Where data is drawn, px. */
export interface Frame {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Space below a plot for ticks and the title of the x axis. */
export const X_AXIS_PX = 38;
const GAP = 6;

type Spot = readonly [x: number, y: number];

/** A straight line; the grid's never carries meaning. */
export const line = ([x1, y1]: Spot, [x2, y2]: Spot, stroke = 'grid'): string =>
  element('path', { d: `M${px(x1)} ${px(y1)}L${px(x2)} ${px(y2)}`, stroke: tone(stroke), fill: 'none' });

/** Ticks with their lines below a plot, and the title at its right end. */
export function xAxis(frame: Frame, axis: Axis, title: string): string[] {
  const at = place(axis, frame.left, frame.right);
  return [
    ...axis.ticks.map(({ value }) => line([at(value), frame.top], [at(value), frame.bottom])),
    line([frame.left, frame.bottom], [frame.right, frame.bottom], 'control-line'),
    ...thatFit(axis.ticks, at).map((tick) => xTick(tick, at(tick.value), frame.bottom)),
    text(fitted(title, WIDTH - GAP), { x: frame.right, y: frame.bottom + 33, anchor: 'end', tone: 'ink-2' }),
  ];
}

/** Labels keep inside the picture and off each other; lines stay. */
function thatFit(ticks: readonly Tick[], at: (value: number) => number): Tick[] {
  let taken = -Infinity;
  return ticks.filter(({ label, value }) => {
    const half = textWidth(label, TICK_SIZE) / 2;
    if (at(value) - half < taken + GAP) return false;
    taken = at(value) + half;
    return true;
  });
}

function xTick({ label }: Tick, x: number, bottom: number): string {
  const half = textWidth(label, TICK_SIZE) / 2;
  return text(label, {
    x: Math.min(WIDTH - half, Math.max(half, x)),
    y: bottom + 16,
    anchor: 'middle',
    size: TICK_SIZE,
    tone: 'ink-3',
  });
}

/** Ticks with their lines left of a plot; the title stands above it, where it can be read without turning one's head. */
export function yAxis(frame: Frame, axis: Axis, title: string): string[] {
  const at = place(axis, frame.bottom, frame.top);
  return [
    ...axis.ticks.map(({ value }) => line([frame.left, at(value)], [frame.right, at(value)])),
    ...axis.ticks.map(({ label, value }) =>
      text(label, { x: frame.left - GAP, y: at(value) + 4, anchor: 'end', size: TICK_SIZE, tone: 'ink-3' }),
    ),
    text(fitted(title, WIDTH), { x: 0, y: frame.top - 10 }),
  ];
}

/** Space left of a plot for the labels of an axis. */
export const yAxisPx = ({ ticks }: Axis): number =>
  Math.max(...ticks.map(({ label }) => textWidth(label, TICK_SIZE))) + GAP + 2;

/** Where a value of an axis is, px; values outside lie on its ends. */
export type Place = (value: number) => number;

/** `from` is the px of the axis' bottom, `to` that of its top. */
export function place({ scale, bottom, top }: Axis, from: number, to: number): Place {
  const along =
    scale === 'log' ? (value: number) => Math.log(Math.max(value, bottom)) : (value: number) => value;
  const [min, max] = [along(bottom), along(top)];
  return (value) => from + ((to - from) * (Math.min(max, Math.max(min, along(value))) - min)) / (max - min);
}
