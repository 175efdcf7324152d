import { element, escaped, tone } from './element.ts';

/** Font size of ticks, px, the smallest there is. A picture 360 wide is never shown so small that this is below 11 px. */
export const TICK_SIZE = 11.5;
export const TEXT_SIZE = 12.5;

interface TextOptions {
  readonly x: number;
  /** Position of the baseline, the line that letters stand on, px. */
  readonly y: number;
  readonly anchor?: 'start' | 'middle' | 'end';
  readonly tone?: string;
  readonly size?: number;
  readonly strong?: boolean;
  /** Whether letters have a rim of the surface's colour, where lines run behind them. */
  readonly rim?: boolean;
}

/** Makes a line of text. Figures of a column stand below each other. */
export function text(words: string, options: TextOptions): string {
  const { x, y, anchor = 'start', size = TEXT_SIZE, strong = false, rim = false } = options;
  return element(
    'text',
    {
      x,
      y,
      ...(anchor === 'start' ? {} : { 'text-anchor': anchor }),
      'font-size': size,
      ...(strong ? { 'font-weight': 600 } : {}),
      ...(rim ? { stroke: tone('surface'), 'stroke-width': 4, 'paint-order': 'stroke' } : {}),
      fill: tone(options.tone ?? 'ink-2'),
    },
    [escaped(words)],
  );
}

/** Widths in em of the page's faces, rounded up: no font is at hand where pictures are made. */
const NARROW = /[iljtfrI.,:;|'!()[\] /-]/;
const WIDE = /[MWmw%@]/;

/** Estimates how wide a line of text is, px; rather too much than too little. */
export const textWidth = (words: string, size = TEXT_SIZE): number =>
  [...words].reduce((sum, letter) => sum + (NARROW.test(letter) ? 0.36 : WIDE.test(letter) ? 0.9 : 0.6), 0) *
  size;

/** Returns the words, or as many letters of them as fit, with an ellipsis. */
export function fitted(words: string, maxPx: number, size = TEXT_SIZE): string {
  if (textWidth(words, size) <= maxPx) return words;
  const letters = [...words];
  while (letters.length > 1 && textWidth(`${letters.join('')}…`, size) > maxPx) letters.pop();
  return `${letters.join('').trimEnd()}…`;
}

/** Shortens a name as `fitted` does, but in its middle: names that differ only at their ends stay apart. */
export function fittedName(name: string, maxPx: number, size = TEXT_SIZE): string {
  const letters = [...name];
  for (let kept = letters.length; kept > 2; kept -= 1) {
    const head = Math.ceil(kept / 2);
    const short =
      kept === letters.length
        ? name
        : `${letters.slice(0, head).join('')}…${letters.slice(head - kept).join('')}`;
    if (textWidth(short, size) <= maxPx) return short;
  }
  return fitted(name, maxPx, size);
}
