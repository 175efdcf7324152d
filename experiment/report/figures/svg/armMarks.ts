import type { ArmLook, Marker } from '../facets.ts';
import { element, tone, WIDTH, px, type Attributes } from './element.ts';
import { text, fitted, textWidth } from './text.ts';

export interface LegendItem {
  /** Where it says more than the look's own. */
  readonly label?: string;
  readonly look: ArmLook;
}

/** A line with its marker or without, a marker alone, or a filled box. */
type Kind = 'line' | 'plain' | 'dot' | 'box';

const KEY_PX = 26;
const ROW_PX = 19;
const GAP_PX = 8;

/** Keys with their words above a plot, in as many rows as they need. */
export function legend(
  items: readonly LegendItem[],
  kind: Kind,
): { readonly marks: readonly string[]; readonly height: number } {
  let [x, row] = [0, 0];
  const marks = items.map(({ look, label = look.label }) => {
    const words = fitted(label, WIDTH - KEY_PX);
    const width = KEY_PX + textWidth(words);
    if (x > 0 && x + width > WIDTH) [x, row] = [0, row + 1];
    const spot = { x, y: 9 + row * ROW_PX };
    x += width + GAP_PX;
    return element('g', {}, [key(look, kind, spot), text(words, { x: spot.x + KEY_PX, y: spot.y + 4 })]);
  });
  return { marks, height: items.length > 0 ? (row + 1) * ROW_PX : 0 };
}

function key(look: ArmLook, kind: Kind, { x, y }: { x: number; y: number }): string {
  if (kind === 'box')
    return element('rect', { x: x + 4, y: y - 5, width: 16, height: 10, fill: tone(look.tone) });
  const stroke = (): string => lookedLine(look, `M${x} ${y}h22`);
  if (kind === 'plain') return stroke();
  const dot = markers(look.marker, [[x + 11, y]], { sizePx: 8, fill: tone(look.tone) });
  return kind === 'dot' ? dot : stroke() + dot;
}

/** A line as an arm looks: its dashes lie over a thinner line of a second colour where it has one. */
export function lookedLine({ tone: token, under, dash }: ArmLook, d: string): string {
  const plain = { d, fill: 'none', 'stroke-width': 2, 'stroke-linejoin': 'round' };
  const dashes = dash === '' ? {} : { 'stroke-dasharray': dash };
  const over = element('path', { ...plain, stroke: tone(token), ...dashes });
  return under === null ? over : element('path', { ...plain, stroke: tone(under) }) + over;
}

/** Path round the origin, for a marker about 2 px across; times half its size. */
const SHAPES: Readonly<Record<Marker, (half: number) => string>> = {
  square: (r) => `m${px(-r * 0.9)} ${px(-r * 0.9)}h${px(r * 1.8)}v${px(r * 1.8)}h${px(-r * 1.8)}z`,
  circle: (r) =>
    `m${px(-r)} 0a${px(r)} ${px(r)} 0 1 0 ${px(2 * r)} 0a${px(r)} ${px(r)} 0 1 0 ${px(-2 * r)} 0z`,
  diamond: (r) =>
    `m0 ${px(-r * 1.25)}l${px(r * 1.25)} ${px(r * 1.25)} ${px(-r * 1.25)} ${px(r * 1.25)} ${px(-r * 1.25)} ${px(-r * 1.25)}z`,
  triangle: (r) => `m0 ${px(-r * 1.1)}l${px(r * 1.15)} ${px(r * 2.1)}h${px(-r * 2.3)}z`,
  bar: (r) => `m${px(-r * 0.5)} ${px(-r * 1.2)}h${px(r)}v${px(r * 2.4)}h${px(-r)}z`,
  cross: (r) =>
    `m${px(-r)} ${px(-r * 0.4)}h${px(r * 0.6)}v${px(-r * 0.6)}h${px(r * 0.8)}v${px(r * 0.6)}h${px(r * 0.6)}v${px(r * 0.8)}h${px(-r * 0.6)}v${px(r * 0.6)}h${px(-r * 0.8)}v${px(-r * 0.6)}h${px(-r * 0.6)}z`,
};

/** The path of a marker; several of one kind are one path. */
export const markerPath = (marker: Marker, [x, y]: readonly [number, number], sizePx: number): string =>
  `M${px(x)} ${px(y)}${SHAPES[marker](sizePx / 2)}`;

/** Draws all markers of an arm as one path; nothing without a point. */
export const markers = (
  marker: Marker,
  points: readonly (readonly [number, number])[],
  { sizePx, ...attributes }: Attributes & { readonly sizePx: number },
): string =>
  points.length === 0
    ? ''
    : element('path', {
        d: points.map((point) => markerPath(marker, point, sizePx)).join(''),
        ...attributes,
      });
