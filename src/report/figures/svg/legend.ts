import type { ArmLook } from '../data/armLook.ts';
import { element } from './element.ts';
import { markers } from './marker.ts';
import { lookedLine } from './lookedLine.ts';
import { WIDTH } from './picture.ts';
import { text } from './text.ts';
import { fitted, textWidth } from './textWidth.ts';
import { tone } from './tone.ts';

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
