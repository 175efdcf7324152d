export type Attributes = Readonly<Record<string, string | number>>;

/**
 * An element of SVG as text. `inside` are elements, or words that went through `escaped`. Numbers are px of the picture,
 * to a tenth; one that is not finite is a fault of the figure and throws.
 */
export function element(name: string, attributes: Attributes, inside: readonly string[] = []): string {
  const words = Object.entries(attributes)
    .map(([key, value]) => ` ${key}="${typeof value === 'number' ? px(value) : escaped(value)}"`)
    .join('');
  return inside.length === 0 ? `<${name}${words}/>` : `<${name}${words}>${inside.join('')}</${name}>`;
}

/** A number of px as it stands in attributes and paths. */
export function px(value: number): string {
  if (!Number.isFinite(value)) throw new Error(`a figure would be drawn at ${value}`);
  return String(Math.round(value * 10) / 10 + 0);
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Words from anywhere, safe between tags and in attributes. Control characters have no place in XML. */
export const escaped = (words: string): string =>
  words.replace(/[&<>"]/g, (each) => ENTITIES[each]!).replace(/[\p{Cc}\p{Cs}]/gu, ' ');
