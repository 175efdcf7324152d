import type { LineMark } from '../mark.ts';
import type { Frame } from './frame.ts';

/** A line or a step; NaN lifts the pen. */
export function paintLine(frame: Frame, mark: LineMark): void {
  const { context, theme } = frame;
  if (mark.xs.length === 0) return;
  if (isDense(frame, mark)) return paintColumns(frame, mark);
  if (mark.fill) fillBelow(frame, mark);
  context.lineJoin = 'round';
  trace(frame, mark);
  if (mark.halo) {
    context.setLineDash([]);
    context.strokeStyle = theme.colour('surface');
    context.lineWidth = mark.widthPx + 3;
    context.stroke();
  }
  context.setLineDash(mark.dash as number[]);
  context.strokeStyle = theme.colour(mark.tone);
  context.lineWidth = mark.widthPx;
  context.stroke();
  context.setLineDash([]);
}

function trace(frame: Frame, { xs, ys, axis, step }: LineMark): void {
  const { context } = frame;
  let down = false;
  let beforePx = 0;
  context.beginPath();
  for (let index = 0; index < xs.length; index += 1) {
    const value = ys[index]!;
    if (Number.isNaN(value)) {
      down = false;
      continue;
    }
    const x = frame.x(xs[index]!);
    const y = frame.y(value, axis);
    if (!down) context.moveTo(x, y);
    else {
      if (step) context.lineTo(x, beforePx);
      context.lineTo(x, y);
    }
    down = true;
    beforePx = y;
  }
}

function fillBelow(frame: Frame, mark: LineMark): void {
  const { context, theme } = frame;
  const floor = frame.y(0, mark.axis);
  trace(frame, mark);
  context.lineTo(frame.x(mark.xs[mark.xs.length - 1]!), floor);
  context.lineTo(frame.x(mark.xs[0]!), floor);
  context.closePath();
  context.globalAlpha = 0.07;
  context.fillStyle = theme.colour(mark.tone);
  context.fill();
  context.globalAlpha = 1;
}

/** So many points on a pixel that a line through them is a band: what its dashes and joins look like is lost anyway. */
const isDense = ({ leftPx, rightPx }: Frame, { xs }: LineMark): boolean => xs.length > 2 * (rightPx - leftPx);

/** The band as one upright bar per pixel: a stroke through thousands of zigzags costs a canvas ten times as much. */
function paintColumns(frame: Frame, mark: LineMark): void {
  const { context, theme, leftPx, rightPx } = frame;
  const width = Math.ceil(rightPx - leftPx) + 1;
  const tops = new Float64Array(width).fill(Infinity);
  const bottoms = new Float64Array(width).fill(-Infinity);
  let before = NaN;
  for (let index = 0; index < mark.xs.length; index += 1) {
    const y = frame.y(mark.ys[index]!, mark.axis);
    const column = Math.round(frame.x(mark.xs[index]!) - leftPx);
    if (column >= 0 && column < width) {
      // From the value before, so that neighbouring bars touch.
      tops[column] = least(least(tops[column]!, y), before);
      bottoms[column] = greatest(greatest(bottoms[column]!, y), before);
    }
    before = y;
  }
  const floor = frame.y(0, mark.axis);
  context.fillStyle = theme.colour(mark.tone);
  for (let column = 0; column < width; column += 1) {
    const [top, bottom] = [tops[column]!, bottoms[column]!];
    if (top > bottom) continue;
    context.fillRect(leftPx + column, top - mark.widthPx / 2, 1, bottom - top + mark.widthPx);
    if (!mark.fill) continue;
    context.globalAlpha = 0.07;
    context.fillRect(leftPx + column, bottom, 1, Math.max(0, floor - bottom));
    context.globalAlpha = 1;
  }
}

/** NaN (the pen is up) counts for nothing. */
const least = (a: number, b: number): number => (b < a ? b : a);
const greatest = (a: number, b: number): number => (b > a ? b : a);
