import type { Change } from './startFiles.testing.ts';

/** A server with something wrong, and exactly what is to be found. */
export interface Plant {
  readonly name: string;
  /** By the id of the check: a part of its sentence. */
  readonly finds: Readonly<Record<string, RegExp>>;
  /** A part of the first fix. */
  readonly fix: RegExp;
  /** Absent: the server is as it should be. */
  readonly setting?: Setting;
  /** Files come from a server behind then. */
  readonly files?: Change;
  /** Absent: nothing about QUIC or codecs is planted. */
  readonly needsBrowser?: true;
  /** Absent: /manifest.mpd. */
  readonly path?: string;
  /** HTTPS record in DNS: parameters, in wire format; the host has a name then. */
  readonly record?: { readonly alpn: readonly string[]; readonly port?: number };
}

/** How a server is set, in the words of no product; what is absent is as it should be. `{PORT}`: its port, `{BEHIND}`: host and port behind. */
export interface Setting {
  readonly protocols?: 'h1' | 'h1 h2' | 'h1 h2 h3';
  /** Headers sent with one value, in place of what is sent otherwise. */
  readonly set?: readonly Header[];
  /** Headers sent beside what is sent already. */
  readonly add?: readonly Header[];
  /** Names of headers that are not sent. */
  readonly without?: readonly Omit<Header, 'value'>[];
  /** Errors come without the CORS header. */
  readonly bareErrors?: true;
  readonly preflight?: 405;
  /** Paths, as regular expressions, and how they are answered. */
  readonly statuses?: readonly { readonly path: string; readonly status: number }[];
  readonly redirect?: Redirect;
  /** Manifests are sent as they are. */
  readonly uncompressed?: true;
}

export interface Header {
  /** Absent: of every answer. */
  readonly of?: 'manifests' | 'media';
  readonly name: string;
  readonly value: string;
}

/** A redirect (302) without any header for pages but those named. */
export interface Redirect {
  /** A regular expression with a group. */
  readonly from: string;
  /** `$1`: the group. */
  readonly to: string;
  readonly headers: readonly string[];
}

export const plant = (name: string, finds: Plant['finds'], more: Omit<Plant, 'name' | 'finds'>): Plant => ({
  name,
  finds,
  ...more,
});

/** A setting with one header that is not as it should be. */
export const header = (
  name: string,
  value: string,
  of?: NonNullable<Header['of']>,
): { setting: Setting } => ({ setting: { set: [of ? { of, name, value } : { name, value }] } });

const ANNOUNCED = 'h3=":{PORT}"; ma=86400';

export const http3Plants: readonly Plant[] = [
  plant(
    'no Alt-Svc',
    { 'no-alt-svc': /answers over QUIC, but does not announce it/ },
    { setting: { without: [{ name: 'Alt-Svc' }] }, fix: /announce h3/, needsBrowser: true },
  ),
  plant(
    'a draft in Alt-Svc',
    { 'old-alt-svc': /Alt-Svc: h3-29=/ },
    { ...header('Alt-Svc', 'h3-29=":{PORT}"; ma=86400'), fix: /announce h3/ },
  ),
  plant(
    'another port in Alt-Svc',
    { 'alt-svc-port': /another place than port \d+ \(Alt-Svc: h3=":9"/ },
    {
      ...header('Alt-Svc', 'h3=":9"; ma=86400'),
      fix: /from outside/,
      needsBrowser: true,
    },
  ),
  plant(
    'h3 announced, UDP closed',
    { 'no-quic': /announces h3, but does not answer over QUIC/ },
    {
      setting: { protocols: 'h1 h2', set: [{ name: 'Alt-Svc', value: ANNOUNCED }] },
      fix: /UDP reach/,
      needsBrowser: true,
    },
  ),
  plant(
    'no HTTP/3',
    { 'no-h3': /neither announces HTTP\/3 nor answers/ },
    { setting: { protocols: 'h1 h2' }, fix: /offer HTTP\/3/, needsBrowser: true },
  ),
  plant(
    'Alt-Svc: clear',
    { 'clear-alt-svc': /Alt-Svc: clear/ },
    { ...header('Alt-Svc', 'clear'), fix: /announce h3/ },
  ),
  plant(
    'Alt-Svc for a minute',
    { 'short-alt-svc': /less than an hour \(Alt-Svc: h3=":\d+"; ma=60\)/ },
    { ...header('Alt-Svc', 'h3=":{PORT}"; ma=60'), fix: /for a day/ },
  ),
  plant(
    'an HTTPS record with another port',
    { 'record-port': /names port 4444, Alt-Svc port \d+/ },
    { record: { alpn: ['h3', 'h2'], port: 4444 }, fix: /same port/ },
  ),
  plant(
    'an HTTPS record without h3',
    { 'record-alpn': /does not announce h3, Alt-Svc does/ },
    { record: { alpn: ['h2'] }, fix: /name the protocols/, needsBrowser: true },
  ),
  plant(
    'only http/1.1',
    { 'no-h3': /neither announces/, 'no-h2': /does not agree to h2 \(ALPN: http\/1.1\)/ },
    { needsBrowser: true, setting: { protocols: 'h1' }, fix: /offer h2/ },
  ),
];

const MOVED: Redirect = { from: '^(/old\\.mpd)$', to: '/manifest.mpd', headers: [] };

export const crossOriginPlants: readonly Plant[] = [
  plant(
    'no CORS',
    { 'no-cors': /no Access-Control-Allow-Origin/ },
    { setting: { without: [{ name: 'Access-Control-Allow-Origin' }] }, fix: /let pages read/ },
  ),
  plant(
    'CORS for another site',
    { 'other-cors': /allows https:\/\/other.example, not pages of https:\/\/player.example/ },
    {
      setting: {
        set: [
          { name: 'Access-Control-Allow-Origin', value: 'https://other.example' },
          { name: 'Vary', value: 'Origin' },
        ],
      },
      fix: /in place of what is sent/,
    },
  ),
  plant(
    'CORS twice',
    { 'two-cors': /several values of Access-Control-Allow-Origin \(\*, \*\)/ },
    { setting: { add: [{ name: 'Access-Control-Allow-Origin', value: '*' }] }, fix: /once/ },
  ),
  plant(
    'CORS by site without Vary',
    { 'no-vary': /without Vary: Origin/ },
    { ...header('Access-Control-Allow-Origin', 'https://player.example'), fix: /Vary: Origin/ },
  ),
  plant(
    'errors without CORS',
    { 'error-cors': /sends 404 without/ },
    { setting: { bareErrors: true }, fix: /with errors/ },
  ),
  plant(
    'a redirect without headers',
    {
      'redirect-cors': /answers 302 without Access-Control-Allow-Origin/,
      'redirect-timing': /answers 302 without Timing/,
    },
    { setting: { redirect: MOVED }, path: '/old.mpd', fix: /in place of/ },
  ),
  plant(
    'a redirect without Timing-Allow-Origin',
    { 'redirect-timing': /answers 302 without Timing-Allow-Origin/ },
    {
      setting: { redirect: { ...MOVED, headers: ['Access-Control-Allow-Origin'] } },
      path: '/old.mpd',
      fix: /times and protocols/,
    },
  ),
  plant(
    'preflights refused',
    { 'no-preflight': /refuses the preflight for the header CMCD-Request \(status 405\)/ },
    { setting: { preflight: 405 }, fix: /OPTIONS/ },
  ),
  plant(
    'preflights that nobody keeps',
    { 'no-preflight-age': /without Access-Control-Max-Age/ },
    { setting: { without: [{ name: 'Access-Control-Max-Age' }] }, fix: /keep the preflight/ },
  ),
  plant(
    'no Timing-Allow-Origin',
    { 'no-timing': /no Timing-Allow-Origin/ },
    { setting: { without: [{ name: 'Timing-Allow-Origin' }] }, fix: /times and protocols/ },
  ),
  plant(
    'CMSD that pages cannot read',
    { 'hidden-headers': /does not let a page read cmsd-static/ },
    { ...header('CMSD-Static', 'ot=v'), fix: /let pages read the headers/ },
  ),
];
