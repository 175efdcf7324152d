/** Writes Caddy's configuration as text. Pure: folders, ports and addresses are arguments. */
import type { Mount } from './origin.ts';

/** Everything that the configuration depends on. */
export interface CaddyfileOptions {
  readonly mounts: Readonly<Record<string, Mount>>;
  readonly appFolder: string | null;
  readonly httpsPort: number;
  readonly httpPort: number;
  readonly addresses: readonly string[];
  readonly protocols: readonly ('h1' | 'h2' | 'h3')[];
  readonly certificateFile: string;
  readonly privateKeyFile: string;
  readonly accessLogFile: string;
  /** Body of a JSON answer by path, on the plain-http port. */
  readonly fixedAnswers: Readonly<Record<string, string>>;
}

/**
 * The policy of the built page: only its own scripts and styles; media and connections may go anywhere, because the
 * page plays any origin. `blob:` is what MediaSource and workers need.
 */
export const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  'media-src * blob: data:',
  'connect-src * blob: data:',
  "font-src 'self'",
  "worker-src 'self' blob:",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'self'",
].join('; ');

/** What a page on another origin may read of a response; without it CMSD, Date and sizes stay hidden. */
const exposedHeaders =
  'Server-Timing, CMSD-Static, CMSD-Dynamic, Content-Length, Content-Range, Date, ETag, Alt-Svc';
/** `*` covers a player's own headers, but never Authorization (Fetch standard, CORS-preflight fetch). */
const allowedHeaders =
  'Range, CMCD-Request, CMCD-Object, CMCD-Status, CMCD-Session, Content-Type, Authorization, *';

/** Caddy falls back to the system's table, which differs from machine to machine. */
const mediaTypes: Readonly<Record<string, string>> = {
  mpd: 'application/dash+xml',
  m4s: 'video/mp4',
  mp4: 'video/mp4',
  webm: 'video/webm',
  vtt: 'text/vtt; charset=utf-8',
  json: 'application/json',
};

/** The whole Caddyfile. */
export function caddyfile(options: CaddyfileOptions): string {
  return [
    globalOptions(options),
    mediaRoutes(options),
    site(`https://:${options.httpsPort}`, options, [
      `tls ${quoted(options.certificateFile)} ${quoted(options.privateKeyFile)}`,
      // `route` keeps the written order; Caddy would sort `respond` behind the mounts.
      block('route', ['import media', 'respond 404']),
    ]),
    site(`http://:${options.httpPort}`, options, [
      block('route', [...fixedRoutes(options.fixedAnswers), 'import media', ...appRoutes(options.appFolder)]),
    ]),
  ].join('\n\n');
}

function globalOptions({ protocols, accessLogFile }: CaddyfileOptions): string {
  return block('', [
    'admin off',
    'persist_config off',
    'auto_https off',
    // Caddy otherwise waits for ever for the last body to be read.
    'grace_period 500ms',
    'skip_install_trust',
    block('servers', [`protocols ${protocols.join(' ')}`]),
    block('log default', ['output stderr', 'level INFO', 'exclude http.log.access']),
    block('log access', [
      block(`output file ${quoted(accessLogFile)}`, ['roll_disabled']),
      'format json',
      'include http.log.access',
    ]),
  ]);
}

/** Headers and failure prefixes that both ports share, then one route per mount (longest prefix first). */
function mediaRoutes({ mounts }: CaddyfileOptions): string {
  const routes = Object.entries(mounts)
    .sort(([a], [b]) => b.length - a.length)
    .map(([prefix, mount]) => mountRoute(prefix, mount));
  return block('(media)', [
    ...mediaHeaders(),
    '@preflight method OPTIONS',
    'respond @preflight 204',
    // The status is part of the path, so that a test can ask for any: /status/503/media/seg-1.m4s.
    '@status path_regexp status ^/status/([2-5]\\d\\d)/',
    'respond @status "The status that was asked for." {re.status.1}',
    block('handle_path /redirect/*', ['redir {uri} 302']),
    block('handle_path /no-tao/*', routes),
    block('handle_path /no-cors/*', routes),
    block('handle_path /with-credentials/*', routes),
    ...routes,
  ]);
}

function mediaHeaders(): string[] {
  return [
    '@tao not path /no-tao/*',
    'header @tao Timing-Allow-Origin *',
    '@open not path /no-cors/* /with-credentials/*',
    'header @open Access-Control-Allow-Origin *',
    // A wildcard is not enough once cookies travel: the origin must name who asked (Fetch standard, CORS check).
    '@credentials path /with-credentials/*',
    block('header @credentials', [
      'Access-Control-Allow-Origin {header.Origin}',
      'Access-Control-Allow-Credentials true',
      'Vary Origin',
    ]),
    '@cors not path /no-cors/*',
    block('header @cors', [
      `Access-Control-Expose-Headers ${quoted(exposedHeaders)}`,
      `Access-Control-Allow-Headers ${quoted(allowedHeaders)}`,
      'Access-Control-Allow-Methods "GET, HEAD, OPTIONS, POST"',
      'Access-Control-Max-Age 7200',
    ]),
    'header Cache-Control no-store',
    ...Object.entries(mediaTypes).map(([extension, type]) => contentType(extension, type)),
  ];
}

function contentType(extension: string, type: string): string {
  return `@${extension} path *.${extension}\nheader @${extension} Content-Type ${quoted(type)}`;
}

function mountRoute(prefix: string, mount: Mount): string {
  const serve =
    typeof mount === 'string'
      ? [`root * ${quoted(mount)}`, 'file_server']
      : // Pass on at once: low-latency chunks would otherwise wait for each other.
        [block(`reverse_proxy ${mount.proxyUrl}`, ['flush_interval -1'])];
  return prefix === '/' ? block('handle', serve) : block(`handle_path ${prefix}/*`, serve);
}

function fixedRoutes(answers: CaddyfileOptions['fixedAnswers']): string[] {
  return Object.entries(answers).map(([path, body]) =>
    block(`handle ${path}`, ['header Content-Type application/json', `respond ${quoted(body)} 200`]),
  );
}

function appRoutes(appFolder: string | null): string[] {
  if (appFolder === null) return ['respond 404'];
  return [
    block('handle', [
      `root * ${quoted(appFolder)}`,
      `header Content-Security-Policy ${quoted(contentSecurityPolicy)}`,
      'header X-Content-Type-Options nosniff',
      // Vite names files in assets/ after their content.
      'header /assets/* Cache-Control "public, max-age=31536000, immutable"',
      'file_server',
    ]),
  ];
}

function site(address: string, { addresses }: CaddyfileOptions, lines: readonly string[]): string {
  return block(address, [`bind ${addresses.join(' ')}`, 'log', ...lines]);
}

function block(head: string, lines: readonly string[]): string {
  const body = lines.flatMap((line) => line.split('\n')).map((line) => `\t${line}`);
  return [`${head} {`.trimStart(), ...body, '}'].join('\n');
}

/** Quotes a Caddyfile token; backslashes and quotes in folder names survive. */
function quoted(text: string): string {
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}
