/** What the web server beside this page says about itself in `pitwall.json`; every part is optional. */
export interface OriginDescription {
  /** A stream to start with. */
  readonly demoUrl: string | null;
  /** The same stream for a browser that cannot reach `demoUrl` (it does not trust the origin's own certificate). */
  readonly plainDemoUrl: string | null;
  /** Which protocols an origin offers, as ALPN ids. */
  readonly origins: readonly { readonly url: string; readonly offers: readonly string[] }[];
}

const NOTHING: OriginDescription = { demoUrl: null, plainDemoUrl: null, origins: [] };

/** Loads `pitwall.json` from beside the page. A server without one is no fault: the form then starts empty. */
export async function originDescription(pageUrl: string): Promise<OriginDescription> {
  const response = await fetch(new URL('pitwall.json', pageUrl)).catch(() => null);
  if (!response?.ok || !/json/.test(response.headers.get('content-type') ?? '')) return NOTHING;
  const value: unknown = await response.json().catch(() => null);
  return value === null ? NOTHING : describedBy(value, pageUrl);
}

/** Takes what is usable and leaves the rest: the file belongs to whoever runs the server. */
export function describedBy(value: unknown, pageUrl: string): OriginDescription {
  if (typeof value !== 'object' || value === null) return NOTHING;
  const { demoUrl, plainDemoUrl, origins } = value as Record<string, unknown>;
  return {
    demoUrl: webAddress(demoUrl, pageUrl),
    plainDemoUrl: webAddress(plainDemoUrl, pageUrl),
    origins: Array.isArray(origins) ? origins.flatMap((each: unknown) => offerOf(each, pageUrl)) : [],
  };
}

function webAddress(value: unknown, pageUrl: string): string | null {
  const url = typeof value === 'string' ? URL.parse(value, pageUrl) : null;
  return url && /^https?:$/.test(url.protocol) ? url.href : null;
}

function offerOf(value: unknown, pageUrl: string): OriginDescription['origins'] {
  if (typeof value !== 'object' || value === null) return [];
  const { url, offers } = value as Record<string, unknown>;
  const parsed = typeof url === 'string' ? URL.parse(url, pageUrl) : null;
  if (!parsed || !Array.isArray(offers)) return [];
  return [{ url: parsed.origin, offers: offers.filter((each) => typeof each === 'string').slice(0, 8) }];
}

/** The demo's address that this browser can load: the first choice, or the plain one when that cannot be reached. */
export async function reachableDemo({ demoUrl, plainDemoUrl }: OriginDescription): Promise<string | null> {
  if (demoUrl === null || plainDemoUrl === null) return demoUrl ?? plainDemoUrl;
  const reached = await fetch(demoUrl, { method: 'HEAD' }).then(
    ({ ok }) => ok,
    () => false,
  );
  return reached ? demoUrl : plainDemoUrl;
}
