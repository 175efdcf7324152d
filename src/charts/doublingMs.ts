const MIN_MS = 1000;

/** The longest of 1 s, 2 s, 4 s … that fits: a session that grows and a view that moves find what was folded again. */
export const doublingMs = (maxMs: number): number =>
  MIN_MS * 2 ** Math.floor(Math.log2(Math.max(maxMs, Number.MIN_VALUE) / MIN_MS));
