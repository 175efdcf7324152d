/**
 * Rattan in the cache, built there first where `mayBuild`; null with the reason where it cannot be. `forImage`: also where no
 * links can be made. `by`: the command that builds it, for that reason.
 */
export function buildRattan(
  cache: string,
  say: (line: string) => void,
  options?: { readonly mayBuild?: boolean; readonly forImage?: boolean; readonly by?: string },
): { readonly path: string; readonly how: string } | { readonly path: null; readonly why: string };
