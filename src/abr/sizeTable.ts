import type { SizesEvent, SizeSource } from './rule.ts';

/** The sizes of segments known so far, for `RuleContext.sizeBytes`. Belongs to a rule runner, not to a rule's state. */
export interface SizeTable {
  /** Bytes; null when not known. */
  readonly sizeBytes: (segment: number, rung: number) => number | null;
  readonly from: () => SizeSource | null;
  learn(event: SizesEvent): void;
  /** Forgets all: a new ladder has other rungs. */
  clear(): void;
}

export function createSizeTable(): SizeTable {
  const rungs = new Map<number, Map<number, number>>();
  let from: SizeSource | null = null;
  return {
    sizeBytes: (segment, rung) => rungs.get(rung)?.get(segment) ?? null,
    from: () => from,
    learn(event) {
      from = event.from;
      const sizes = rungs.get(event.rung) ?? new Map<number, number>();
      rungs.set(event.rung, sizes);
      event.sizesBytes.forEach((size, index) => {
        if (size !== null) sizes.set(event.firstSegment + index, size);
      });
    },
    clear() {
      rungs.clear();
      from = null;
    },
  };
}
