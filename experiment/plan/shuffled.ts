import { seededRandom } from '../../src/analysis/statistics/random.ts';

/** The items in an order drawn by a seed (Fisher and Yates), each order as likely as any. */
export function shuffled<Item>(items: readonly Item[], seed: number): Item[] {
  const random = seededRandom(seed);
  const order = [...items];
  for (let last = order.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1));
    [order[last], order[other]] = [order[other]!, order[last]!];
  }
  return order;
}
