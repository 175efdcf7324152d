/**
 * The schema that this code writes. Readers accept this and every older version. It stands apart from the schema, so
 * that writing a log does not load the schema library: only reading one needs it.
 */
export const SCHEMA_ID = 'pitwall-session/2';

/** The version of this recorder, written into every log. A test holds it to package.json. */
export const PITWALL_VERSION = '0.1.0';
