/** Keeps the newest of a map or set, which remember the order of adding. */
export function forgetOldest<Key>(
  kept: { readonly size: number; keys(): Iterator<Key>; delete(key: Key): boolean },
  max: number,
): void {
  while (kept.size > max) kept.delete(kept.keys().next().value as Key);
}
