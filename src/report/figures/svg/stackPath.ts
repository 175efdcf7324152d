import { px } from './element.ts';
import type { Place } from './place.ts';

/** A band between two stepped edges. */
export function stackPath(
  edges: readonly {
    readonly from: number;
    readonly to: number;
    readonly low: number;
    readonly high: number;
  }[],
  { x, y }: { x: Place; y: Place },
): string {
  const [first] = edges;
  if (!first) return '';
  const over = edges.map(({ to, high }) => `V${px(y(high))}H${px(x(to))}`);
  const back = edges.toReversed().map(({ from, low }) => `V${px(y(low))}H${px(x(from))}`);
  return `M${px(x(first.from))} ${px(y(first.low))}${over.join('')}${back.join('')}Z`;
}
