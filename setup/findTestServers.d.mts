type Found = { readonly path: string; readonly how: string } | { readonly path: null; readonly why: string };

/** Servers and a packager of other projects; installed first where `mayInstall`, null with the reason where one is missing. */
export function findTestServers(
  places: { readonly root: string; readonly cache: string; readonly say: (line: string) => void },
  options?: { readonly mayInstall?: boolean },
): Record<'nginx' | 'apache' | 'hypercorn' | 'shakaPackager', Found>;

/** Runs `work` while Debian packages that are installed start no service. */
export function withoutServices<Result>(work: () => Result, policy?: string): Result;
