import type { View } from './chart.ts';

/** Moments in order, without those that follow an earlier one by less than `leastPx`. */
export function thinTimes<Item extends { readonly atMs: number }>(
  items: readonly Item[],
  view: View,
  leastPx: number,
): Item[] {
  const leastMs = (leastPx * (view.toMs - view.fromMs)) / view.mostPoints;
  let lastMs = -Infinity;
  return items.filter(({ atMs }) => {
    if (atMs - lastMs < leastMs) return false;
    lastMs = atMs;
    return true;
  });
}
