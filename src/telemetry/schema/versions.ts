/**
 * The schema that this code writes and reads. It stands apart from the schema, so
 * that writing a log does not load the schema library: only reading one needs it.
 */
export const SCHEMA_ID = 'pitwall-session/2';

/** A test holds it to package.json. */
const VERSION = '0.1.0';

/** The commit, as `setup/codeVersion.mjs` finds it; put in where page and command line are built, absent elsewhere. */
declare const __PITWALL_BUILD__: string | undefined;

/**
 * The version of this recorder, written into every log: `0.1.0+g0123456789`, where the build knows its commit, and
 * `0.1.0+g0123456789.dirty` where files of the code differed from it.
 */
export const PITWALL_VERSION =
  typeof __PITWALL_BUILD__ === 'undefined' ? VERSION : `${VERSION}${__PITWALL_BUILD__}`;
