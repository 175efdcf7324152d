type Found = { readonly path: string; readonly how: string } | { readonly path: null; readonly why: string };

/** Firefox; installed first where `mayInstall`, null with the reason and what to do where it is missing. */
export function findFirefox(
  say: (line: string) => void,
  options?: { readonly mayInstall?: boolean; readonly command?: string },
): Found;
