import type {
  Mark,
  FlagsMark,
  HatchMark,
  WashMark,
  BarsMark,
  DotsMark,
  TextItem,
  TextsMark,
} from '../../marks/mark.ts';
import { type Frame, protocolTone, UNKNOWN, PROTOCOL_TONES } from './frame.ts';
import { paintCells, paintSpans } from './paintBoxes.ts';
import { paintLine } from './paintLine.ts';

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

/** From top to bottom of the lane: a stall in its own colour, unrecorded time striped. */
function paintWash(frame: Frame, { spans, what }: WashMark): void {
  const { context, theme } = frame;
  context.fillStyle = what === 'stall' ? theme.colour('stall-wash') : theme.pattern('striped', 'line');
  for (const { fromMs, toMs } of spans) {
    const x = frame.x(fromMs);
    context.fillRect(x, 0, Math.max(1, frame.x(toMs) - x), frame.heightPx);
  }
}

/** Stalls sit on the level they are given; a broken Alt-Svc is centred on it. */
function paintHatch(frame: Frame, { spans, what, y, heightPx }: HatchMark): void {
  const { context, theme } = frame;
  context.fillStyle =
    what === 'stall' ? theme.pattern('hatched-back', 'stall') : theme.pattern('striped', 'ink-3');
  const bottom = frame.y(y, 'left') + (what === 'stall' ? 0 : heightPx / 2);
  for (const { fromMs, toMs } of spans) {
    const x = frame.x(fromMs);
    context.fillRect(x, bottom - heightPx, Math.max(3, frame.x(toMs) - x), heightPx);
  }
}

function paintFlags(frame: Frame, { xs }: FlagsMark): void {
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

const GAP_PX = 1.5;

/** Stacked bars; unknown is dotted, so that grey alone need not say it. */
function paintBars(frame: Frame, { fromMs, toMs, base, top, protocols }: BarsMark): void {
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

/** Below this radius a square is as good as a circle and far cheaper. */
const MIN_CIRCLE_PX = 1.5;

/** One pass per protocol: a canvas is slow at changing its colour, not at drawing. */
function paintDots(frame: Frame, mark: DotsMark): void {
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

const BADGE_PX = 7.5;

/** Words on the drawing: a badge, or plain with an edge in the colour of the ground so that lines do not cross them. */
function paintTexts(frame: Frame, { items }: TextsMark): void {
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
