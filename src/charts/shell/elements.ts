import { GLYPHS, type Glyph, type GlyphId } from '../marks/glyphs.ts';

const SVG = 'http://www.w3.org/2000/svg';

/** An element with attributes and children; strings become text, never markup. */
export function html<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string>> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

/** A picture of paths; `paths` are attributes of each. */
export function svg(
  { width, height, label }: { width: number; height: number; label?: string },
  paths: readonly Readonly<Record<string, string>>[],
): SVGSVGElement {
  const picture = document.createElementNS(SVG, 'svg');
  picture.setAttribute('viewBox', `0 0 ${width} ${height}`);
  picture.setAttribute('width', String(width));
  picture.setAttribute('height', String(height));
  picture.setAttribute(label ? 'aria-label' : 'aria-hidden', label ?? 'true');
  for (const attributes of paths) {
    const path = document.createElementNS(SVG, 'path');
    for (const [key, value] of Object.entries(attributes)) path.setAttribute(key, value);
    picture.append(path);
  }
  return picture;
}

/** The picture of a key. Colours are presentation attributes, which a strict policy allows. */
export function glyphSvg(id: GlyphId): SVGSVGElement {
  const tone = (name: string | undefined): string => (name ? `var(--${name})` : 'none');
  const paths = (GLYPHS[id] as readonly Glyph[]).map(({ d, fill, stroke, widthPx = 1, dash = [] }) => ({
    d,
    fill: tone(fill),
    stroke: tone(stroke),
    'stroke-width': String(widthPx),
    'stroke-dasharray': dash.length > 0 ? dash.join(' ') : 'none',
    'stroke-linecap': id === 'unknown' ? 'round' : 'butt',
  }));
  return svg({ width: 16, height: 9 }, paths);
}
