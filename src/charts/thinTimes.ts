import type { View } from './chart.ts';

/** Moments in order, without those that follow an earlier one by less than `minPx`. */
export function thinTimes<Item extends { readonly atMs: number }>(
  items: readonly Item[],
  view: View,
  minPx: number,
): Item[] {
  const minMs = (minPx * (view.toMs - view.fromMs)) / view.maxPoints;
  let lastMs = -Infinity;
  return items.filter(({ atMs }) => {
    if (atMs - lastMs < minMs) return false;
    lastMs = atMs;
    return true;
  });
}
