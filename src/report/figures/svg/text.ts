import { element, escaped } from './element.ts';
import { tone } from './tone.ts';

/** Of ticks, the smallest there is; a picture 360 wide is never shown so small that this is below 11 px. */
export const TICK_SIZE = 11.5;
export const TEXT_SIZE = 12.5;

export interface TextOptions {
  readonly x: number;
  /** Of the line that letters stand on. */
  readonly y: number;
  readonly anchor?: 'start' | 'middle' | 'end';
  readonly tone?: string;
  readonly size?: number;
  readonly strong?: boolean;
  /** A rim of the surface's colour, where lines run behind the letters. */
  readonly rim?: boolean;
}

/** A line of text. Figures of a column stand below each other. */
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
