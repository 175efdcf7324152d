/**
 * The part of a set-up that a link carries. Headers, credentials and key systems never do.
 * `autoplay` "muted" is the headless lab's: play at once, without sound. Absent, a link with an MPD starts by
 * itself as far as the browser lets it; "off" only fills the form.
 */
export interface Linked {
  readonly mpd: string | null;
  /** An id, with parameters or without: `fixed:rung=3`. */
  readonly rule: string | null;
  readonly preset: string | null;
  readonly cmcd: string | null;
  /** Where segment sizes come from: a file beside the MPD, `head` or `none`. */
  readonly sizes: string | null;
  readonly seed: string | null;
  /** Address of the weights file of a rule that needs one. */
  readonly weights: string | null;
  readonly autoplay: 'muted' | 'off' | null;
}

/** As the fields of the form hold it. */
export type LinkTexts = Readonly<Record<Exclude<keyof Linked, 'autoplay'>, string>>;

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
    sizes: value('sizes'),
    seed: value('seed'),
    weights: value('weights'),
    autoplay: autoplay === null ? null : autoplay === '0' ? 'off' : 'muted',
  };
}

/** Values that a link need not say. */
const USUAL: Partial<LinkTexts> = { cmcd: 'off', seed: '1' };

/** The address that opens this page with the same set-up. `page` is the page's own address. */
export function sharedLink(page: string, texts: LinkTexts): string {
  const link = new URL(page);
  link.hash = '';
  // ':', '/' and '=' are legal in a query (RFC 3986 §3.4) and keep the address readable.
  const readable = (text: string): string =>
    encodeURIComponent(text).replace(/%(3A|2F|3D)/g, decodeURIComponent);
  const names = ['mpd', 'rule', 'preset', 'cmcd', 'sizes', 'seed', 'weights'] as const;
  link.search = names
    .filter((name) => texts[name] !== '' && texts[name] !== USUAL[name])
    .map((name) => `${name}=${readable(texts[name])}`)
    .join('&');
  return link.href;
}
