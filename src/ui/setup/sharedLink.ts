/**
 * The part of a set-up that a link carries. Headers, credentials and key systems never do.
 * `autoplay` "muted" is the headless lab's: play at once, without sound. Absent, a link with an MPD starts by
 * itself as far as the browser lets it; "off" only fills the form.
 */
export interface Linked {
  readonly mpd: string | null;
  readonly rule: string | null;
  readonly preset: string | null;
  readonly cmcd: string | null;
  readonly autoplay: 'muted' | 'off' | null;
}

/** Reads `location.search`. Empty values count as absent. */
export function linkedSetup(search: string): Linked {
  const query = new URLSearchParams(search);
  const value = (name: string): string | null => query.get(name)?.trim() || null;
  const autoplay = value('autoplay');
  return {
    mpd: value('mpd'),
    rule: value('rule'),
    preset: value('preset'),
    cmcd: value('cmcd'),
    autoplay: autoplay === null ? null : autoplay === '0' ? 'off' : 'muted',
  };
}

/** The address that opens this page with the same set-up. `page` is the page's own address. */
export function sharedLink(
  page: string,
  { mpd, rule, preset, cmcd }: { mpd: string; rule: string; preset: string; cmcd: string },
): string {
  const link = new URL(page);
  link.hash = '';
  // ':' and '/' are legal in a query (RFC 3986 §3.4) and keep the address readable.
  const readable = (text: string): string =>
    encodeURIComponent(text).replace(/%(3A|2F)/g, decodeURIComponent);
  const pairs = [
    ['mpd', mpd],
    ['rule', rule],
    ['preset', preset],
    ['cmcd', cmcd === 'off' ? '' : cmcd],
  ].filter(([, value]) => value !== '');
  link.search = pairs.map(([name, value]) => `${name}=${readable(value ?? '')}`).join('&');
  return link.href;
}
