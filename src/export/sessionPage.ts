import type { Entry } from '../shared/registry.ts';
import { failed, ok, type Result } from '../shared/result.ts';

/**
 * A session as one HTML file: the page's charts and figures, and the log in it. The build makes the file without a log
 * (`session.html`, setup/buildSessionPage.ts); the page and the command line put one in.
 */
export const sessionPage: Entry & { readonly about: string; readonly extension: string } = {
  id: 'page',
  label: 'one page',
  about: 'HTML with charts, figures and the log in it: opens from the disk without a network',
  extension: 'html',
};

/** File name of the page without a log, in the built folder. */
export const SESSION_PAGE = 'session.html';

/** Id of the element that has the log. Its type is no script's, so no browser runs it. */
const BEFORE = '<script type="application/gzip" id="log">';
const SLOT = `${BEFORE}</script>`;

/**
 * Puts a log into the page without one. `logBase64`: base64 of gzip of the session's JSON. Its alphabet has no `<`, so no text
 * of a log can end the element. @throws Error where a text is no base64, or the page has no place for a log
 */
export function fillSessionPage(page: string, logBase64: string): string {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(logBase64)) throw new Error('The log is not base64.');
  const at = page.indexOf(SLOT) + BEFORE.length;
  if (at < BEFORE.length) throw new Error(`${SESSION_PAGE} has no place for a log.`);
  return page.slice(0, at) + logBase64 + page.slice(at);
}

/** Returns the log of a session's page, base64 of gzip; null where a text is no such page. An error is one sentence. */
export function logInSessionPage(text: string): Result<string> | null {
  if (!/^\s*<!doctype html/i.test(text)) return null;
  const from = text.indexOf(BEFORE);
  const to = text.indexOf('</script>', from);
  if (from === -1 || to === -1) return failed('It is a web page without a session in it.');
  return ok(text.slice(from + BEFORE.length, to));
}
