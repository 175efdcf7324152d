import type { Mark } from '../mark.ts';
import type { Frame } from './frame.ts';
import { paintFlags, paintHatch, paintWash } from './paintBands.ts';
import { paintBars } from './paintBars.ts';
import { paintCells } from './paintCells.ts';
import { paintDots } from './paintDots.ts';
import { paintLine } from './paintLine.ts';
import { paintSpans } from './paintSpans.ts';
import { paintTexts } from './paintTexts.ts';

type Painters = {
  readonly [Kind in Mark['kind']]: (frame: Frame, mark: Extract<Mark, { kind: Kind }>) => void;
};

const PAINTERS: Painters = {
  line: paintLine,
  dots: paintDots,
  bars: paintBars,
  spans: paintSpans,
  cells: paintCells,
  texts: paintTexts,
  wash: paintWash,
  hatch: paintHatch,
  flags: paintFlags,
};

/** Draws marks in their order, cut off at the gutters. */
export function paint(frame: Frame, marks: readonly Mark[]): void {
  const { context, leftPx, rightPx, heightPx } = frame;
  context.save();
  context.beginPath();
  context.rect(leftPx, 0, rightPx - leftPx, heightPx);
  context.clip();
  for (const mark of marks) (PAINTERS[mark.kind] as (frame: Frame, mark: Mark) => void)(frame, mark);
  context.restore();
}

/** Vertical hairlines at round moments. */
export function paintTimeGrid({ context, theme, heightPx, x }: Frame, ticksMs: readonly number[]): void {
  context.fillStyle = theme.colour('grid');
  for (const tick of ticksMs) context.fillRect(Math.round(x(tick)), 0, 1, heightPx);
}
