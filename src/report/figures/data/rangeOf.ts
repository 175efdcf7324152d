/** The least and the greatest of these; null of none. By a loop: a call cannot take a hundred thousand arguments. */
export function rangeOf(values: Iterable<number>): { readonly least: number; readonly most: number } | null {
  let [least, most] = [Infinity, -Infinity];
  for (const value of values) {
    if (value < least) least = value;
    if (value > most) most = value;
  }
  return least <= most ? { least, most } : null;
}
