import type { TextItem, TextsMark } from '../mark.ts';
import type { Frame } from './frame.ts';

const BADGE_PX = 7.5;

/** Words on the drawing: a badge, or plain with an edge in the colour of the ground so that lines do not cross them. */
export function paintTexts(frame: Frame, { items }: TextsMark): void {
  const { context, theme } = frame;
  context.textBaseline = 'middle';
  for (const item of items) {
    const x = Math.max(frame.leftPx + (item.badge ? BADGE_PX + 1 : 0), frame.x(item.atMs)) + item.dxPx;
    const y = Math.max(theme.textPx / 2 + 1, frame.y(item.y, item.axis) + item.dyPx);
    context.font = theme.font(item.strong ? 600 : 400);
    context.textAlign = item.align;
    if (item.badge) paintBadge(frame, item.badge, x, y);
    else edge(frame, item.text, x, y);
    context.fillStyle = theme.colour(item.tone);
    context.fillText(item.text, x, y + (item.badge ? 0.5 : 0));
  }
}

function edge({ context, theme }: Frame, text: string, x: number, y: number): void {
  context.strokeStyle = theme.colour('surface');
  context.lineWidth = 3.5;
  context.lineJoin = 'round';
  context.strokeText(text, x, y);
}

function paintBadge(
  { context, theme }: Frame,
  { shape, tone }: NonNullable<TextItem['badge']>,
  x: number,
  y: number,
): void {
  context.beginPath();
  if (shape === 'circle') context.arc(x, y, BADGE_PX, 0, 2 * Math.PI);
  else context.roundRect(x - BADGE_PX, y - BADGE_PX, 2 * BADGE_PX, 2 * BADGE_PX, 2);
  context.fillStyle = theme.colour(tone);
  context.fill();
  context.strokeStyle = theme.colour('surface');
  context.lineWidth = 1.5;
  context.stroke();
}
