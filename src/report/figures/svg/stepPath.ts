import { px } from './element.ts';
import type { Place } from './place.ts';

/** A distribution as a path of steps: from 0 at the left end of the plot to 1 at its right end. */
export function stepPath(
  points: readonly { readonly value: number; readonly share: number }[],
  { x, y, ends }: { x: Place; y: Place; ends: readonly [left: number, right: number] },
): string {
  const steps = points.map(({ value, share }) => `H${px(x(value))}V${px(y(share))}`);
  return `M${px(ends[0])} ${px(y(0))}${steps.join('')}H${px(ends[1])}`;
}
