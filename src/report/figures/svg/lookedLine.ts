import type { ArmLook } from '../data/armLook.ts';
import { element } from './element.ts';
import { tone } from './tone.ts';

/** A line as an arm looks: its dashes lie over a thinner line of a second colour where it has one. */
export function lookedLine({ tone: token, under, dash }: ArmLook, d: string): string {
  const plain = { d, fill: 'none', 'stroke-width': 2, 'stroke-linejoin': 'round' };
  const dashes = dash === '' ? {} : { 'stroke-dasharray': dash };
  const over = element('path', { ...plain, stroke: tone(token), ...dashes });
  return under === null ? over : element('path', { ...plain, stroke: tone(under) }) + over;
}
