import type { Change } from './startFiles.testing.ts';

/** A server with something wrong, and exactly what is to be found. */
export interface Plant {
  readonly name: string;
  /** By the id of the check: a part of its sentence. */
  readonly finds: Readonly<Record<string, RegExp>>;
  /** A part of the first fix. */
  readonly fix: RegExp;
  readonly caddy?: CaddyChange;
  /** Files come from a server behind Caddy then. */
  readonly files?: Change;
  /** Absent: nothing about QUIC or codecs is planted. */
  readonly needsBrowser?: true;
  /** Absent: /manifest.mpd. */
  readonly path?: string;
  /** HTTPS record in DNS: parameters, in wire format; the host has a name then. */
  readonly record?: { readonly alpn: readonly string[]; readonly port?: number };
}

export interface CaddyChange {
  readonly protocols?: string;
  /** Lines before all others; {PORT} is the port. */
  readonly first?: readonly string[];
  /** Lines behind the headers. */
  readonly last?: readonly string[];
  /** Lines that are left out. */
  readonly without?: RegExp;
}

export const plant = (name: string, finds: Plant['finds'], more: Omit<Plant, 'name' | 'finds'>): Plant => ({
  name,
  finds,
  ...more,
});

export const lines = (...last: string[]): { caddy: CaddyChange } => ({ caddy: { last } });

export const http3Plants: readonly Plant[] = [
  plant(
    'no Alt-Svc',
    { 'no-alt-svc': /answers over QUIC, but does not announce it/ },
    { ...lines('header -Alt-Svc'), fix: /announce h3/, needsBrowser: true },
  ),
  plant(
    'a draft in Alt-Svc',
    { 'old-alt-svc': /Alt-Svc: h3-29=/ },
    { ...lines('header Alt-Svc `h3-29=":{PORT}"; ma=86400`'), fix: /announce h3/ },
  ),
  plant(
    'another port in Alt-Svc',
    { 'alt-svc-port': /another place than port \d+ \(Alt-Svc: h3=":9"/ },
    {
      ...lines('header Alt-Svc `h3=":9"; ma=86400`'),
      fix: /from outside/,
      needsBrowser: true,
    },
  ),
  plant(
    'h3 announced, UDP closed',
    { 'no-quic': /announces h3, but does not answer over QUIC/ },
    {
      caddy: { protocols: 'h1 h2', last: ['header Alt-Svc `h3=":{PORT}"; ma=86400`'] },
      fix: /UDP reach/,
      needsBrowser: true,
    },
  ),
  plant(
    'no HTTP/3',
    { 'no-h3': /neither announces HTTP\/3 nor answers/ },
    { caddy: { protocols: 'h1 h2' }, fix: /offer HTTP\/3/, needsBrowser: true },
  ),
  plant(
    'Alt-Svc: clear',
    { 'clear-alt-svc': /Alt-Svc: clear/ },
    { ...lines('header Alt-Svc clear'), fix: /announce h3/ },
  ),
  plant(
    'Alt-Svc for a minute',
    { 'short-alt-svc': /less than an hour \(Alt-Svc: h3=":\d+"; ma=60\)/ },
    { ...lines('header Alt-Svc `h3=":{PORT}"; ma=60`'), fix: /for a day/ },
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
    { needsBrowser: true, caddy: { protocols: 'h1', last: [] }, fix: /offer h2/ },
  ),
];

export const crossOriginPlants: readonly Plant[] = [
  plant(
    'no CORS',
    { 'no-cors': /no Access-Control-Allow-Origin/ },
    { caddy: { without: /Control-Allow-Origin/ }, fix: /let pages read/ },
  ),
  plant(
    'CORS for another site',
    { 'other-cors': /allows https:\/\/other.example, not pages of https:\/\/player.example/ },
    {
      ...lines('header Access-Control-Allow-Origin https://other.example', 'header Vary Origin'),
      fix: /in place of what is sent/,
    },
  ),
  plant(
    'CORS twice',
    { 'two-cors': /several values of Access-Control-Allow-Origin \(\*, \*\)/ },
    { ...lines('header +Access-Control-Allow-Origin *'), fix: /once/ },
  ),
  plant(
    'CORS by site without Vary',
    { 'no-vary': /without Vary: Origin/ },
    { ...lines('header Access-Control-Allow-Origin https://player.example'), fix: /Vary: Origin/ },
  ),
  plant(
    'errors without CORS',
    { 'error-cors': /sends 404 without/ },
    {
      caddy: {
        without: /Access-Control-Allow-Origin/,
        first: ['@there not path *missing*', 'header @there Access-Control-Allow-Origin *'],
      },
      fix: /with errors/,
    },
  ),
  plant(
    'a redirect without headers',
    {
      'redirect-cors': /answers 302 without Access-Control-Allow-Origin/,
      'redirect-timing': /answers 302 without Timing/,
    },
    { caddy: { first: ['redir /old.mpd /manifest.mpd 302'] }, path: '/old.mpd', fix: /in place of/ },
  ),
  plant(
    'a redirect without Timing-Allow-Origin',
    { 'redirect-timing': /answers 302 without Timing-Allow-Origin/ },
    {
      caddy: {
        first: [
          '@old path /old.mpd',
          'header @old Access-Control-Allow-Origin *',
          'redir @old /manifest.mpd 302',
        ],
      },
      path: '/old.mpd',
      fix: /times and protocols/,
    },
  ),
  plant(
    'preflights refused',
    { 'no-preflight': /refuses the preflight for the header CMCD-Request \(status 405\)/ },
    { caddy: { without: /respond @preflight/, last: ['respond @preflight 405'] }, fix: /OPTIONS/ },
  ),
  plant(
    'preflights that nobody keeps',
    { 'no-preflight-age': /without Access-Control-Max-Age/ },
    { caddy: { without: /Max-Age/ }, fix: /keep the preflight/ },
  ),
  plant(
    'no Timing-Allow-Origin',
    { 'no-timing': /no Timing-Allow-Origin/ },
    { caddy: { without: /Timing-Allow/ }, fix: /times and protocols/ },
  ),
  plant(
    'CMSD that pages cannot read',
    { 'hidden-headers': /does not let a page read cmsd-static/ },
    { ...lines('header CMSD-Static `ot=v`'), fix: /let pages read the headers/ },
  ),
];
