import type { BarsMark } from '../mark.ts';
import { protocolTone, UNKNOWN, type Frame } from './frame.ts';

const GAP_PX = 1.5;

/** Stacked bars; unknown is dotted, so that grey alone need not say it. */
export function paintBars(frame: Frame, { fromMs, toMs, base, top, protocols }: BarsMark): void {
  const { context, theme } = frame;
  context.globalAlpha = 0.88;
  for (let index = 0; index < fromMs.length; index += 1) {
    const x = frame.x(fromMs[index]!);
    const widthPx = Math.max(1, frame.x(toMs[index]!) - x - GAP_PX);
    const y = frame.y(top[index]!, 'left');
    const protocol = protocols[index]!;
    context.fillStyle =
      protocol === UNKNOWN
        ? theme.pattern('dotted', 'protocol-unknown')
        : theme.colour(protocolTone(protocol));
    context.fillRect(x + GAP_PX / 2, y, widthPx, Math.max(0.5, frame.y(base[index]!, 'left') - y));
  }
  context.globalAlpha = 1;
}
