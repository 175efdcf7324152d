/**
 * A URL as the log may keep it: names of query parameters stay, their values become `*`, user name and password go.
 * Signed tokens, licence keys and CMCD ids live in values. Works on text, not on `URL`, because what was asked for
 * is not always a valid URL and must still be recorded.
 */
export function redactUrl(url: string, keepQueryValues = false): string {
  const bare = withoutUserInfo(url);
  if (keepQueryValues) return bare;
  const [beforeFragment = '', ...fragment] = bare.split('#');
  const at = beforeFragment.indexOf('?');
  const path = at === -1 ? beforeFragment : beforeFragment.slice(0, at);
  const query =
    at === -1
      ? ''
      : `?${beforeFragment
          .slice(at + 1)
          .split('&')
          .map(withoutValue)
          .join('&')}`;
  // Fragments carry tokens too (OAuth's implicit grant, RFC 6749 §4.2.2).
  return `${path}${query}${fragment.length > 0 ? '#*' : ''}`;
}

export const withoutFragment = (url: string): string => url.split('#', 1)[0] ?? url;

/**
 * Redacts every URL inside a text as `redactUrl` does: error messages of dash.js and browsers quote them. Time grows with the
 * length of the text alone: a scheme has at most 40 characters, and a path is taken whole before it is searched for its query.
 */
export function redactText(text: string, keepQueryValues = false): string {
  return text
    .replace(/\b[a-z][a-z0-9+.-]{0,39}:\/\/[^\s"'<>\\]+/gi, (url) => redactUrl(url, keepQueryValues))
    .replace(/(^|[\s"'(=])(\/[^\s"'<>\\]*)/g, (_all, before: string, path: string) => {
      return before + (/\?./.test(path) ? redactUrl(path, keepQueryValues) : path);
    });
}

function withoutValue(parameter: string): string {
  const at = parameter.indexOf('=');
  // A parameter without "=" may be nothing but a token; keep it only when it is short enough to be a name.
  if (at === -1) return parameter.length > 16 ? '*' : parameter;
  return at === parameter.length - 1 ? parameter : `${parameter.slice(0, at)}=*`;
}

function withoutUserInfo(url: string): string {
  return url.replace(/^([a-z][a-z0-9+.-]*:)?\/\/[^/?#@]*@/i, (_all, scheme: string | undefined) => {
    return `${scheme ?? ''}//`;
  });
}
