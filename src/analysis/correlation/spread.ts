import type { Span } from '../playingSpans.ts';

/**
 * Tells each window (equally long, one after the other) how much of a span lies in it: `add(index, ms)`. Costs what the
 * span touches, not what there is.
 */
export function spread(
  windows: readonly Span[],
  { fromMs, toMs }: Span,
  add: (index: number, ms: number) => void,
): void {
  const [first] = windows;
  if (!first) return;
  const lengthMs = first.toMs - first.fromMs;
  const from = Math.max(0, Math.floor((fromMs - first.fromMs) / lengthMs));
  for (let index = from; index < windows.length && windows[index]!.fromMs < toMs; index += 1) {
    const ms = Math.min(toMs, windows[index]!.toMs) - Math.max(fromMs, windows[index]!.fromMs);
    if (ms > 0) add(index, ms);
  }
}
