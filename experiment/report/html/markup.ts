import { escaped } from '../figures/svg/element.ts';

/** HTML that is safe to stand in a page. Only `markup` and `trusted` make it. */
export class Markup {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** null and undefined leave nothing behind. */
export type Inside = Markup | string | number | null | undefined | readonly Inside[];

/** A template of HTML: what stands in its places is text, and is escaped, unless it is Markup itself. */
export const markup = (pieces: TemplateStringsArray, ...places: readonly Inside[]): Markup =>
  new Markup(pieces.reduce((text, piece, index) => `${text}${renderInside(places[index - 1])}${piece}`));

/** Text that is HTML already: a figure's picture, a style sheet of our own. */
export const trusted = (text: string): Markup => new Markup(text);

function renderInside(inside: Inside): string {
  if (inside instanceof Markup) return inside.text;
  if (typeof inside === 'string') return escaped(inside);
  if (typeof inside === 'number') return String(inside);
  return inside ? inside.map(renderInside).join('') : '';
}
