import { ABORTED_DASH } from '../glyphs.ts';
import { LOOKS, type SpansMark } from '../mark.ts';
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
