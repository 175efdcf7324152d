/** The value below which a share of ascending values lies, between two of them in proportion (Hyndman and Fan's type 7). */
export function quantile(ascending: ArrayLike<number>, share: number): number {
  if (ascending.length === 0) throw new Error('no values, so no quantile');
  const place = share * (ascending.length - 1);
  const below = Math.floor(place);
  const low = ascending[below]!;
  return low + (place - below) * ((ascending[below + 1] ?? low) - low);
}
