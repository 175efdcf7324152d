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

/** The same for every URL inside a text: error messages of dash.js and browsers quote them. */
export function redactText(text: string, keepQueryValues = false): string {
  return text
    .replace(/\b[a-z][a-z0-9+.-]*:\/\/[^\s"'<>\\]+/gi, (url) => redactUrl(url, keepQueryValues))
    .replace(/(^|[\s"'(=])(\/[^\s"'<>?\\]*\?[^\s"'<>\\]+)/g, (_all, before: string, url: string) => {
      return before + redactUrl(url, keepQueryValues);
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
