/** Builds the page into dist/ when a source changed since the last build; `say` gets one line. */
export function buildApp(root: string, say: (line: string) => void): Promise<void>;

/** What dist/ was built from, as a hash; empty while it is built, and before. */
export function builtStamp(root: string): string;

/** A hash of all that the page is built from, besides its packages. */
export function hashOfSources(root: string): string;

/** The same of the sources alone, whichever commit they are of. */
export function hashOfSourceFiles(root: string): string;

/** Why a browser could not run a script, a module that imports nothing, in words after its name; null where it could. */
export function scriptFault(script: string): Promise<string | null>;

/** Builds the page into `outDir` with a script, an ES module, in the place of dash.js; `dist/` stays as it is. */
export function buildWithDash(
  root: string,
  where: { readonly script: string; readonly outDir: string },
): Promise<void>;
