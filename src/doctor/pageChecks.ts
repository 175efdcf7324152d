/**
 * Ids of the checks whose evidence a page can have: bodies, statuses, headers that every page may read (CORS-safelisted
 * response-header names, Fetch standard, 2.2.4) and Resource Timing. What a page cannot see of a server must not be taken for
 * absent: no other check may run on what a page found.
 */
export const pageChecks: ReadonlySet<string> = new Set([
  ...['no-answer', 'bad-status', 'to-http', 'web-page', 'page-for-missing', 'no-tls'],
  ...['no-cors', 'no-timing', 'wrong-type', 'no-ranges'],
  ...['uncached-media', 'stale-manifest', 'plain-manifest', 'no-length'],
  ...['old-alt-svc', 'clear-alt-svc', 'short-alt-svc'],
  ...['unreadable-manifest', 'insecure-media', 'missing-files', 'undecodable'],
  ...['no-clock', 'dead-clock', 'coarse-clock'],
]);
