/** Rattan in the cache, built there first where `mayBuild`; null with the reason where it cannot be. */
export function buildRattan(
  cache: string,
  say: (line: string) => void,
  options?: { readonly mayBuild?: boolean },
): { readonly path: string; readonly how: string } | { readonly path: null; readonly why: string };
