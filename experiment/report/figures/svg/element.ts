export type Attributes = Readonly<Record<string, string | number>>;

/**
 * Makes an element of SVG as text. `inside` are elements, or words that went through `escaped`. Numbers are px of the picture,
 * to a tenth; one that is not finite is a fault of the figure and throws.
 */
export function element(name: string, attributes: Attributes, inside: readonly string[] = []): string {
  const words = Object.entries(attributes)
    .map(([key, value]) => ` ${key}="${typeof value === 'number' ? px(value) : escaped(value)}"`)
    .join('');
  return inside.length === 0 ? `<${name}${words}/>` : `<${name}${words}>${inside.join('')}</${name}>`;
}

/** Formats a number of px as it stands in attributes and paths. */
export function px(value: number): string {
  if (!Number.isFinite(value)) throw new Error(`a figure would be drawn at ${value}`);
  return String(Math.round(value * 10) / 10 + 0);
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Makes words from anywhere safe between tags and in attributes. Control characters have no place in XML. */
export const escaped = (words: string): string =>
  words.replace(/[&<>"]/g, (each) => ENTITIES[each]!).replace(/[\p{Cc}\p{Cs}]/gu, ' ');

/** Returns a colour by its name among the page's tokens (`src/ui/tokens.css`), so that pictures turn dark with the page. */
export const tone = (token: string): string => `var(--${token})`;

/** Colours of better and worse, apart for every kind of colour blindness; never without a sign, a word or a side. */
export const BETTER = 'session-f';
export const WORSE = 'stall';

/**
 * Width of every figure, px: that of a phone. Figures stand beside others where the page is wide enough. So their text is never
 * scaled down, and one column becomes three without another drawing.
 */
export const WIDTH = 360;

interface PictureOptions {
  /** Id of the figure, unique in a report. */
  readonly id: string;
  readonly title: string;
  /** Description of the picture, for those who do not see it. */
  readonly description: string;
  readonly height: number;
}

/** Makes the `<svg>` around marks. */
export const picture = (
  { id, title, description, height }: PictureOptions,
  marks: readonly string[],
): string =>
  element(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      viewBox: `0 0 ${WIDTH} ${Math.ceil(height)}`,
      role: 'img',
      'aria-labelledby': `${id}-title ${id}-desc`,
    },
    [
      element('title', { id: `${id}-title` }, [escaped(title)]),
      element('desc', { id: `${id}-desc` }, [escaped(description)]),
      ...marks,
    ],
  );
