import { bandOf, type Band } from '../bandOf.ts';
import type { LineMark } from '../mark.ts';
import type { Frame } from './frame.ts';

/**
 * A line so dense that it is a band: one upright bar for each run of columns that are alike. A stroke through
 * thousands of zigzags costs a canvas ten times as much, and bars on whole pixels need no smoothed edges.
 */
export function paintBand(frame: Frame, mark: LineMark): void {
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
