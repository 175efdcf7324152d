import { element, px, type Attributes } from './element.ts';

/** Tells arms apart without their colours. */
export const MARKERS = ['square', 'circle', 'diamond', 'triangle', 'bar', 'cross'] as const;
export type Marker = (typeof MARKERS)[number];

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
