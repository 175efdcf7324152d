import { CELL_LOOKS, type CellsMark } from '../mark.ts';
import type { Frame } from './frame.ts';

/** Narrower cells have no space for their number. */
const MIN_NUMBER_PX = 10;

/** A matrix of small boxes with numbers: filled = decided, outlined = voted, a dot = not asked. */
export function paintCells(frame: Frame, mark: CellsMark): void {
  const { context } = frame;
  context.textAlign = 'center';
  context.textBaseline = 'alphabetic';
  for (let index = 0; index < mark.fromMs.length; index += 1) paintCell(frame, mark, index);
}

function paintCell(frame: Frame, mark: CellsMark, index: number): void {
  const { context, theme } = frame;
  const x0 = Math.max(frame.leftPx, frame.x(mark.fromMs[index]!));
  const widthPx = Math.max(2, Math.min(frame.x(mark.toMs[index]!) - x0 - 2, mark.maxWidthPx));
  const middle = frame.y(mark.ys[index]!, 'left');
  const look = CELL_LOOKS[mark.looks[index]!];
  if (look === 'not-asked') {
    context.fillStyle = theme.colour('control-line');
    context.fillRect(x0 + widthPx / 2 - 0.75, middle - 0.75, 1.5, 1.5);
    return;
  }
  box(
    frame,
    { x0, widthPx, top: middle - mark.heightPx / 2, heightPx: mark.heightPx },
    {
      tone: mark.tones[mark.tone[index]!]!,
      filled: look === 'decided',
    },
  );
  if (widthPx <= MIN_NUMBER_PX || Number.isNaN(mark.numbers[index]!)) return;
  context.fillStyle = theme.colour(look === 'decided' ? 'on-rule' : 'ink-2');
  context.font = theme.font(look === 'decided' ? 700 : 400);
  context.fillText(String(mark.numbers[index]!), x0 + widthPx / 2, middle + 4);
}

function box(
  { context, theme }: Frame,
  { x0, widthPx, top, heightPx }: { x0: number; widthPx: number; top: number; heightPx: number },
  { tone, filled }: { tone: string; filled: boolean },
): void {
  context.beginPath();
  // Round corners are not seen on a narrow one, and a day has hundreds.
  if (widthPx > MIN_NUMBER_PX) context.roundRect(x0 + 0.5, top, widthPx - 1, heightPx, 2);
  else context.rect(x0 + 0.5, top, Math.max(1, widthPx - 1), heightPx);
  if (filled) {
    context.fillStyle = theme.colour(tone);
    context.fill();
    return;
  }
  context.globalAlpha = 0.45;
  context.strokeStyle = theme.colour(tone);
  context.lineWidth = 1;
  context.stroke();
  context.globalAlpha = 1;
}
