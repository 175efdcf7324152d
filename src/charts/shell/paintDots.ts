import type { DotsMark } from '../mark.ts';
import { PROTOCOL_TONES, type Frame } from './frame.ts';

/** Below this radius a square is as good as a circle and far cheaper. */
const MIN_CIRCLE_PX = 1.5;

/** One pass per protocol: a canvas is slow at changing its colour, not at drawing. */
export function paintDots(frame: Frame, mark: DotsMark): void {
  const { context, theme } = frame;
  PROTOCOL_TONES.forEach((tone, protocol) => {
    const colour = theme.colour(tone);
    context.fillStyle = mark.hollow ? theme.colour('surface') : colour;
    context.strokeStyle = mark.hollow ? colour : theme.colour('surface');
    context.lineWidth = mark.hollow ? 1.4 : 1;
    if (mark.radiusPx < MIN_CIRCLE_PX) squares(frame, mark, protocol);
    else circles(frame, mark, protocol);
  });
}

/** On whole pixels, each in its column: smoothed edges cost more, and blur what is this small. */
function squares(frame: Frame, { xs, ys, protocols, radiusPx }: DotsMark, protocol: number): void {
  const sidePx = 2 * radiusPx;
  for (let index = 0; index < xs.length; index += 1) {
    if (protocols[index] !== protocol) continue;
    const column = Math.floor((frame.x(xs[index]!) - frame.leftPx) / sidePx);
    const topPx = Math.round(frame.y(ys[index]!, 'left') - radiusPx);
    frame.context.fillRect(frame.leftPx + column * sidePx, topPx, sidePx, sidePx);
  }
}

function circles(frame: Frame, { xs, ys, protocols, radiusPx }: DotsMark, protocol: number): void {
  const { context } = frame;
  context.beginPath();
  for (let index = 0; index < xs.length; index += 1) {
    if (protocols[index] !== protocol) continue;
    const [x, y] = [frame.x(xs[index]!), frame.y(ys[index]!, 'left')];
    context.moveTo(x + radiusPx, y);
    context.arc(x, y, radiusPx, 0, 2 * Math.PI);
  }
  context.fill();
  context.stroke();
}
