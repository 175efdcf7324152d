import { ABORTED_DASH } from '../../marks/glyphs.ts';
import { LOOKS, type SpansMark, CELL_LOOKS, type CellsMark } from '../../marks/mark.ts';
import { protocolTone, UNKNOWN, type Frame } from './frame.ts';

interface Bar {
  readonly x0: number;
  readonly mid: number;
  readonly x1: number;
  readonly y: number;
  readonly protocol: number;
  readonly heightPx: number;
}

/** Requests: latency thin, transfer solid; failed hatched, aborted dashed, unknown dotted, running outlined. */
export function paintSpans(frame: Frame, mark: SpansMark): void {
  for (let index = 0; index < mark.fromMs.length; index += 1) {
    const x0 = frame.x(mark.fromMs[index]!);
    const bar: Bar = {
      x0,
      mid: frame.x(mark.midMs[index]!),
      x1: Math.max(frame.x(mark.toMs[index]!), x0 + 1),
      y: mark.ys[index]!,
      protocol: mark.protocols[index]!,
      heightPx: mark.heightPx,
    };
    const look = LOOKS[mark.looks[index]!];
    if (look === 'phases' && bar.protocol !== UNKNOWN) paintPhases(frame, bar);
    else if (look === 'failed')
      paintBox(frame, bar, frame.theme.pattern('hatched', protocolTone(bar.protocol)));
    else if (look === 'running') paintBox(frame, bar, null);
    else if (look === 'aborted') paintDashed(frame, bar);
    else paintBox(frame, bar, frame.theme.pattern('dotted', protocolTone(bar.protocol)));
  }
}

function paintPhases({ context, theme, y }: Frame, bar: Bar): void {
  context.fillStyle = theme.colour(protocolTone(bar.protocol));
  const middle = y(bar.y, 'left');
  if (bar.mid > bar.x0) context.fillRect(bar.x0, middle - 0.75, bar.mid - bar.x0, 1.5);
  context.fillRect(bar.mid, middle - bar.heightPx / 2, Math.max(2, bar.x1 - bar.mid), bar.heightPx);
}

function paintDashed(frame: Frame, bar: Bar): void {
  frame.context.setLineDash([...ABORTED_DASH]);
  paintBox(frame, bar, null);
  frame.context.setLineDash([]);
}

function paintBox(
  { context, theme, y }: Frame,
  { x0, x1, y: value, protocol, heightPx }: Bar,
  fill: CanvasPattern | string | null,
): void {
  const top = y(value, 'left') - heightPx / 2 + 0.5;
  const widthPx = Math.max(2, x1 - x0);
  if (fill) {
    context.fillStyle = fill;
    context.fillRect(x0, top, widthPx, heightPx - 1);
  }
  context.strokeStyle = theme.colour(protocolTone(protocol));
  context.lineWidth = 0.9;
  context.strokeRect(x0, top, widthPx, heightPx - 1);
}

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
