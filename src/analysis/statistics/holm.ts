/**
 * p values of a family after Holm's correction (1979), in the order given: the smallest times their number m, the next
 * times m − 1 and so on, none smaller than the one before it and none above 1.
 */
export function holm(ps: readonly number[]): number[] {
  const order = ps.map((_, index) => index).sort((a, b) => ps[a]! - ps[b]!);
  const corrected = new Array<number>(ps.length);
  let min = 0;
  for (const [place, index] of order.entries()) {
    min = Math.max(min, Math.min(1, (ps.length - place) * ps[index]!));
    corrected[index] = min;
  }
  return corrected;
}
