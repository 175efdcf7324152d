import { GLYPHS, type Glyph, type GlyphId } from '../marks/glyphs.ts';
import { svg } from '../../ui/dom.ts';

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
