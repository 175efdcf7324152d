import type { LineMark } from '../mark.ts';
import type { Frame } from './frame.ts';
import { paintBand } from './paintBand.ts';

/** A line or a step; NaN lifts the pen. */
export function paintLine(frame: Frame, mark: LineMark): void {
  const { context, theme } = frame;
  if (mark.xs.length === 0) return;
  if (isDense(frame, mark)) return paintBand(frame, mark);
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
const isDense = ({ leftPx, rightPx }: Frame, { xs }: LineMark): boolean =>
  xs.length > 1.5 * (rightPx - leftPx);
