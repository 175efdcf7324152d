/** The least and the greatest of these; null of none. By a loop: a call cannot take a hundred thousand arguments. */
export function rangeOf(values: Iterable<number>): { readonly min: number; readonly max: number } | null {
  let [min, max] = [Infinity, -Infinity];
  for (const value of values) {
    if (value < min) min = value;
    if (value > max) max = value;
  }
  return min <= max ? { min, max } : null;
}
