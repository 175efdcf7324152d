import type { LineMark } from '../../marks/mark.ts';
import type { Frame } from './frame.ts';

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

/**
 * A line so dense that it is a band: one upright bar for each run of columns that are alike. A stroke through
 * thousands of zigzags costs a canvas ten times as much, and bars on whole pixels need no smoothed edges.
 */
function paintBand(frame: Frame, mark: LineMark): void {
  const { context, theme, leftPx } = frame;
  const { xs, ys, axis, step, widthPx } = mark;
  const band = bandOf(
    {
      count: xs.length,
      x: (index) => frame.x(xs[index]!) - leftPx,
      y: (index) => frame.y(ys[index]!, axis),
      step,
      widthPx,
    },
    Math.ceil(frame.rightPx - leftPx) + 1,
  );
  context.fillStyle = theme.colour(mark.tone);
  eachRun(band, ({ from, to, top, bottom }) => context.fillRect(leftPx + from, top, to - from, bottom - top));
  if (!mark.fill) return;
  const floor = Math.round(frame.y(0, axis));
  context.globalAlpha = 0.07;
  eachRun({ tops: band.bottoms, bottoms: band.bottoms.map((bottom) => Math.max(bottom, floor)) }, (run) =>
    context.fillRect(leftPx + run.from, run.top, run.to - run.from, run.bottom - run.top),
  );
  context.globalAlpha = 1;
}

interface Run {
  readonly from: number;
  readonly to: number;
  readonly top: number;
  readonly bottom: number;
}

/** Neighbouring columns with the same top and bottom as one, empty ones left out. */
function eachRun({ tops, bottoms }: Band, draw: (run: Run) => void): void {
  for (let from = 0; from < tops.length;) {
    const [top, bottom] = [tops[from]!, bottoms[from]!];
    let to = from + 1;
    while (to < tops.length && tops[to] === top && bottoms[to] === bottom) to += 1;
    if (top < bottom && Number.isFinite(bottom - top)) draw({ from, to, top, bottom });
    from = to;
  }
}

/** What a line covers of each column of pixels, whole px from the top; `top >= bottom` where there is nothing of it. */
interface Band {
  readonly tops: Float64Array;
  readonly bottoms: Float64Array;
}

/** A line in px; NaN in `y` lifts the pen. */
interface PixelLine {
  readonly count: number;
  /** Column of a point; may lie outside. */
  x(index: number): number;
  y(index: number): number;
  /** Each value holds until the next point. */
  readonly step: boolean;
  readonly widthPx: number;
}

/** The band that a line of many points per column is. */
export function bandOf(line: PixelLine, columns: number): Band {
  const tops = new Float64Array(columns).fill(Infinity);
  const bottoms = new Float64Array(columns).fill(-Infinity);
  const cover = (column: number, y: number): void => {
    // NaN counts for nothing.
    if (y < tops[column]!) tops[column] = y;
    if (y > bottoms[column]!) bottoms[column] = y;
  };
  let before = { column: 0, y: NaN };
  for (let index = 0; index < line.count; index += 1) {
    const now = { column: Math.round(line.x(index)), y: line.y(index) };
    const slope = line.step ? 0 : (now.y - before.y) / Math.max(1, now.column - before.column);
    for (let column = Math.max(0, before.column + 1); column < Math.min(columns, now.column); column += 1)
      cover(column, before.y + slope * (column - before.column));
    if (now.column >= 0 && now.column < columns) {
      cover(now.column, now.y);
      // From where the line comes, so that neighbouring columns touch.
      if (!Number.isNaN(now.y)) cover(now.column, line.step ? before.y : now.y - slope);
    }
    before = now;
  }
  return {
    tops: tops.map((top) => Math.round(top - line.widthPx / 2)),
    bottoms: bottoms.map((bottom) => Math.round(bottom + line.widthPx / 2)),
  };
}
