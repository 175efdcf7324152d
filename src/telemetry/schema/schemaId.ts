/**
 * The schema this code writes. Readers accept this and every older version. In a file of its own, so that writing a
 * log does not load the schema library: only reading one needs it.
 */
export const SCHEMA_ID = 'pitwall-session/2';
