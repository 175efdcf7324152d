import type { FlagsMark, HatchMark, WashMark } from '../mark.ts';
import type { Frame } from './frame.ts';

/** From top to bottom of the lane: a stall in its own colour, unrecorded time striped. */
export function paintWash(frame: Frame, { spans, what }: WashMark): void {
  const { context, theme } = frame;
  context.fillStyle = what === 'stall' ? theme.colour('stall-wash') : theme.pattern('striped', 'line');
  for (const { fromMs, toMs } of spans) {
    const x = frame.x(fromMs);
    context.fillRect(x, 0, Math.max(1, frame.x(toMs) - x), frame.heightPx);
  }
}

/** Stalls sit on the level they are given; a broken Alt-Svc is centred on it. */
export function paintHatch(frame: Frame, { spans, what, y, heightPx }: HatchMark): void {
  const { context, theme } = frame;
  context.fillStyle =
    what === 'stall' ? theme.pattern('hatched-back', 'stall') : theme.pattern('striped', 'ink-3');
  const bottom = frame.y(y, 'left') + (what === 'stall' ? 0 : heightPx / 2);
  for (const { fromMs, toMs } of spans) {
    const x = frame.x(fromMs);
    context.fillRect(x, bottom - heightPx, Math.max(3, frame.x(toMs) - x), heightPx);
  }
}

export function paintFlags(frame: Frame, { xs }: FlagsMark): void {
  const { context, theme, heightPx } = frame;
  context.fillStyle = theme.colour('ink');
  context.beginPath();
  for (let index = 0; index < xs.length; index += 1) {
    const x = frame.x(xs[index]!);
    context.moveTo(x, heightPx - 5);
    context.lineTo(x - 3.5, heightPx);
    context.lineTo(x + 3.5, heightPx);
  }
  context.fill();
}
