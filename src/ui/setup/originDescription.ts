/** What the web server beside this page says about itself in `pitwall.json`; every part is optional. */
export interface OriginDescription {
  /** A stream to start with. */
  readonly demoUrl: string | null;
  /** The demo stream for a browser that cannot reach `demoUrl` (it does not trust the origin's own certificate). */
  readonly plainDemoUrl: string | null;
  /** Which protocols an origin offers, as ALPN ids. */
  readonly origins: readonly { readonly url: string; readonly offers: readonly string[] }[];
  /** The demo stream, sent more slowly than the network could: to see a rule react on one machine. */
  readonly paces: readonly PacedDemo[];
  /** Whether the server reads the NetLog of a browser that it started: then it knows races, and answers at `races/`. */
  readonly races?: boolean;
  /** Whether this browser was found not to reach `demoUrl`. */
  readonly isPlain?: boolean;
}

interface PacedDemo extends Pick<OriginDescription, 'demoUrl' | 'plainDemoUrl'> {
  readonly label: string;
  readonly about: string;
}

export const NOTHING: OriginDescription = { demoUrl: null, plainDemoUrl: null, origins: [], paces: [] };

/** Loads `pitwall.json` from beside the page. A server without one is no fault: the form then starts empty. */
export async function originDescription(pageUrl: string): Promise<OriginDescription> {
  const response = await fetch(new URL('pitwall.json', pageUrl)).catch(() => null);
  if (!response?.ok || !/json/.test(response.headers.get('content-type') ?? '')) return NOTHING;
  const value: unknown = await response.json().catch(() => null);
  return value === null ? NOTHING : describedBy(value, pageUrl);
}

/**
 * Takes what is usable and leaves the rest: the file belongs to whoever runs the server. `viewer` takes the place of
 * `{viewer}` in the addresses of paced streams, so that each page has a pace of its own.
 */
export function describedBy(value: unknown, pageUrl: string, viewer = newViewer()): OriginDescription {
  if (typeof value !== 'object' || value === null) return NOTHING;
  const { demoUrl, plainDemoUrl, origins, paces, races } = value as Record<string, unknown>;
  return {
    demoUrl: webAddress(demoUrl, pageUrl),
    plainDemoUrl: webAddress(plainDemoUrl, pageUrl),
    origins: Array.isArray(origins) ? origins.flatMap((each: unknown) => offerOf(each, pageUrl)) : [],
    paces: Array.isArray(paces)
      ? paces.slice(0, MAX_PACES).flatMap((each: unknown) => pacedOf(each, pageUrl, viewer))
      : [],
    races: races === true,
  };
}

const MAX_PACES = 8;

const newViewer = (): string => Math.random().toString(36).slice(2, 10);

function pacedOf(value: unknown, pageUrl: string, viewer: string): PacedDemo[] {
  if (typeof value !== 'object' || value === null) return [];
  const { label, about, demoUrl, plainDemoUrl } = value as Record<string, unknown>;
  if (typeof label !== 'string' || typeof about !== 'string') return [];
  const address = (text: unknown): string | null =>
    webAddress(typeof text === 'string' ? text.replaceAll('{viewer}', viewer) : text, pageUrl);
  return [{ label, about, demoUrl: address(demoUrl), plainDemoUrl: address(plainDemoUrl) }];
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

/** Says why a stream plays over http/1.1 beside an origin that has h2 and h3, and what to do; null: it does not. */
export function whyPlain({ demoUrl, plainDemoUrl, isPlain }: OriginDescription, mpd: string): string | null {
  const [other, plain, ours] = [demoUrl, plainDemoUrl, mpd].map((url) => URL.parse(url ?? ''));
  return isPlain && other && plain && plain.origin === ours?.origin
    ? `http/1.1 only: this browser does not trust or reach ${other.host}. For h2 and h3, see what npm start prints.`
    : null;
}
