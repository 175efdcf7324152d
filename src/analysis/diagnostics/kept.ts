/** The few items that are listed one by one; the others are only counted, so that a list never grows without end. */
export interface Kept<Item> {
  readonly items: readonly Item[];
  /** How many items are not among them. */
  readonly leftOut: number;
  add(item: Item): void;
}

/** Keeps the `max` weightiest items, the earlier of two that weigh the same; without weights the first ones. */
export function kept<Item>(max: number, weightOf: (item: Item) => number = () => 0): Kept<Item> {
  const items: Item[] = [];
  let leftOut = 0;
  return {
    items,
    get leftOut() {
      return leftOut;
    },
    add(item) {
      items.push(item);
      if (items.length <= max) return;
      const min = items.reduce(
        (low, each, index) => (weightOf(each) <= weightOf(items[low]!) ? index : low),
        0,
      );
      items.splice(min, 1);
      leftOut += 1;
    },
  };
}
