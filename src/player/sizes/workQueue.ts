/** Does one thing after another, some at once, the newest first. */
export interface WorkQueue<Item> {
  add(items: readonly Item[]): void;
  drop(unwanted: (item: Item) => boolean): void;
}

/** `work` never rejects. What is beyond `maxWaiting` is forgotten, oldest first. */
export function workQueue<Item>(
  work: (item: Item) => Promise<void>,
  { atOnce, maxWaiting }: { atOnce: number; maxWaiting: number },
): WorkQueue<Item> {
  let waiting: readonly Item[] = [];
  let underWay = 0;
  const pump = (): void => {
    while (underWay < atOnce) {
      const [next, ...rest] = waiting;
      if (next === undefined) return;
      waiting = rest;
      underWay += 1;
      void work(next).finally(() => {
        underWay -= 1;
        pump();
      });
    }
  };
  return {
    add(items) {
      waiting = [...items, ...waiting].slice(0, maxWaiting);
      pump();
    },
    drop: (unwanted) => void (waiting = waiting.filter((item) => !unwanted(item))),
  };
}
