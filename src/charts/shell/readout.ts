import type { ReadoutItem } from '../chart.ts';
import { glyphSvg, html } from './elements.ts';

/** The numbers in a lane's head, in places that do not move. */
export interface Readout {
  readonly element: HTMLElement;
  show(items: readonly ReadoutItem[], narrow: boolean): void;
}

export function createReadout(): Readout {
  const element = html('ul', { class: 'lane-readout' });
  let shape = '';
  let values: Text[] = [];
  const rebuild = (items: readonly ReadoutItem[], narrow: boolean): void => {
    values = items.map(() => document.createTextNode(''));
    element.replaceChildren(...items.map((item, index) => itemElement(item, values[index]!, narrow)));
  };
  return {
    element,
    show(items, narrow) {
      const wanted = items.map(({ glyph, label }) => `${glyph} ${label}`).join() + String(narrow);
      if (wanted !== shape) rebuild(items, narrow);
      shape = wanted;
      items.forEach(({ value }, index) => {
        const node = values[index]!;
        if (value !== null && node.data !== value) node.data = value;
      });
    },
  };
}

function itemElement(
  { glyph, label, short, value, chars }: ReadoutItem,
  node: Text,
  narrow: boolean,
): HTMLElement {
  const item = html('li');
  if (glyph) item.append(glyphSvg(glyph));
  item.append(narrow ? (short ?? label) : label);
  if (value === null) return item;
  const number = html('b', {}, node);
  number.style.minWidth = `${chars}ch`;
  item.append(number);
  return item;
}
