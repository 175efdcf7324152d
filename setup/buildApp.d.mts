/** Builds the page into dist/ when a source changed since the last build; `say` gets one line. */
export function buildApp(root: string, say: (line: string) => void): Promise<void>;

/** Returns a hash of what dist/ was built from; empty before the first build and during each. */
export function builtStamp(root: string): string;

/** Returns a hash of all that the page is built from, its commit included, besides its packages. */
export function hashOfSources(root: string): string;

/** Returns a hash of the page's source files alone, which does not depend on the commit. */
export function hashOfSourceFiles(root: string): string;

/** Says why no browser can run a script, a module that imports nothing, in words after its name; null where one can. */
export function scriptFault(script: string): Promise<string | null>;

/** Builds the page into `outDir` with a script, an ES module, in the place of dash.js; `dist/` stays as it is. */
export function buildWithDash(
  root: string,
  where: { readonly script: string; readonly outDir: string },
): Promise<void>;
