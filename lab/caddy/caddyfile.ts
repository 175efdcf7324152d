/**
 * Writes Caddy's configuration as text. Pure: folders, ports and addresses are arguments. Names of files and folders must be
 * plain: see `quoted`.
 */
import { isPrivate, type Mount } from './origin.ts';

/** Arguments of the configuration: it depends on nothing else. */
interface CaddyfileOptions {
  readonly mounts: Readonly<Record<string, Mount>>;
  /** Paths below each prefix that are not served, whatever lies there: see `refusedPaths`. */
  readonly refused: Readonly<Record<string, readonly string[]>>;
  /** The name in the URLs: requests for other names, but loopback's and the addresses, are refused. */
  readonly host: string;
  readonly appFolder: string | null;
  /** Paths below the app's folder that are not served, whatever lies there: see `refusedPaths`. */
  readonly appRefused: readonly string[];
  readonly httpsPort: number;
  readonly httpPort: number;
  readonly addresses: readonly string[];
  readonly protocols: readonly ('h1' | 'h2' | 'h3')[];
  /** Whether responses over TCP say that there is h3; undefined: yes. */
  readonly altSvc?: boolean | undefined;
  readonly certificateFile: string;
  readonly privateKeyFile: string;
  readonly accessLogFile: string;
  /** Size up to which the access log is kept; undefined: everything is kept. */
  readonly accessLogLimitBytes?: number | undefined;
  /** Body of a JSON answer by path, on the plain-http port. */
  readonly fixedAnswers: Readonly<Record<string, string>>;
}

/**
 * Security policy of the built page: only its own scripts and styles; media and connections may go anywhere, because the
 * page plays any origin. `blob:` is what MediaSource, workers and
 * rules of files need.
 */
export const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self' blob:",
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

/**
 * Security policy of files that are not the app's, opened in a tab. No script runs, nothing is loaded, and the page is of no
 * origin: on the app's origin it could act in the app's name. The style is what browsers draw around media and text.
 */
export const foreignContentPolicy = "sandbox; default-src 'none'; style-src 'unsafe-inline'";

/** Headers that a page on another origin may read of a response; without them CMSD, Date and sizes stay hidden. */
const exposedHeaders =
  'Server-Timing, CMSD-Static, CMSD-Dynamic, Content-Length, Content-Range, Date, ETag, Alt-Svc';
/** Headers that a player may send: `*` covers all but Authorization (Fetch standard, CORS-preflight fetch). */
const allowedHeaders =
  'Range, CMCD-Request, CMCD-Object, CMCD-Status, CMCD-Session, Content-Type, Authorization, *';

/** Media types by ending of the file: Caddy would use the system's table, which differs from machine to machine. */
const mediaTypes: Readonly<Record<string, string>> = {
  mpd: 'application/dash+xml',
  m4s: 'video/mp4',
  mp4: 'video/mp4',
  webm: 'video/webm',
  vtt: 'text/vtt; charset=utf-8',
  json: 'application/json',
};

/** Writes the whole Caddyfile. */
export function caddyfile(options: CaddyfileOptions): string {
  const isOpen = Object.keys(options.mounts).filter((prefix) => !isPrivate(options.mounts[prefix]!));
  const isClosed = Object.keys(options.mounts).filter((prefix) => !isOpen.includes(prefix));
  return [
    globalOptions(options),
    mediaRoutes(options),
    site(`https://:${options.httpsPort}`, options, [
      `tls ${quoted(options.certificateFile)} ${quoted(options.privateKeyFile)}`,
      // `route` keeps the written order; Caddy would sort `respond` behind the mounts.
      block('route', [
        ...(options.altSvc === false ? ['header -Alt-Svc'] : []),
        ...refusals(options),
        // A player that asks for a missing file must be able to read the 404.
        ...mediaHeaders(isClosed.length > 0 ? [`not path ${below(isClosed)}`] : []),
        'import media',
        'respond 404',
      ]),
    ]),
    site(`http://:${options.httpPort}`, options, [
      block('route', [
        ...refusals(options),
        ...fixedRoutes(options.fixedAnswers),
        ...mediaHeaders([`path ${below([...isOpen, ...DEFECTS])}`]),
        'import media',
        ...appRoutes(options),
      ]),
    ]),
  ].join('\n\n');
}

/** Prefixes by which a test takes something away from a response, or makes it go wrong. */
const TAKEN_AWAY = ['/no-tao', '/no-cors', '/with-credentials'];
const DEFECTS = ['/status', '/redirect', ...TAKEN_AWAY];

const below = (prefixes: readonly string[]): string =>
  prefixes.map((prefix) => (prefix === '/' ? '/*' : `${prefix}/*`)).join(' ');

/** Refuses requests for another host name than ours: a page's owner can make its DNS point here (DNS rebinding). */
function refusals({ host, addresses }: CaddyfileOptions): string[] {
  const names = new Set(['localhost', '*.localhost', '127.0.0.1', '::1', host, ...addresses]);
  if (!isAddress(host)) names.add(`*.${host}`);
  return [
    'header X-Content-Type-Options nosniff',
    `header Content-Security-Policy ${quoted(foreignContentPolicy)}`,
    `@foreign not host ${[...names].join(' ')}`,
    'respond @foreign "This server has another name." 421',
  ];
}

const isAddress = (host: string): boolean => host.includes(':') || /^[\d.]+$/.test(host);

const BYTES_PER_MIB = 1024 * 1024;

function globalOptions({ protocols, accessLogFile, accessLogLimitBytes }: CaddyfileOptions): string {
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
      block(`output file ${quoted(accessLogFile)}`, rolling(accessLogLimitBytes)),
      'format json',
      'include http.log.access',
    ]),
  ]);
}

const rolling = (limitBytes: number | undefined): string[] =>
  limitBytes === undefined
    ? ['roll_disabled']
    : [
        `roll_size ${Math.max(1, Math.round(limitBytes / BYTES_PER_MIB))}MiB`,
        'roll_keep 1',
        'roll_uncompressed',
      ];

/** Writes the failure prefixes that both ports share, then one route per mount (longest prefix first). */
function mediaRoutes({ mounts, refused }: CaddyfileOptions): string {
  const routes = Object.entries(mounts)
    .sort(([a], [b]) => b.length - a.length)
    .map(([prefix, mount]) => ({ mount, route: mountRoute(prefix, mount, refused[prefix] ?? []) }));
  const openRoutes = routes.filter(({ mount }) => !isPrivate(mount)).map(({ route }) => route);
  return block('(media)', [
    'header Cache-Control no-store',
    ...Object.entries(mediaTypes).map(([extension, type]) => contentType(extension, type)),
    '@preflight method OPTIONS',
    'respond @preflight 204',
    // The status is part of the path, so that a test can ask for any: /status/503/media/seg-1.m4s.
    '@status path_regexp status ^/status/([2-5]\\d\\d)/',
    'respond @status "The status that was asked for." {re.status.1}',
    block('handle_path /redirect/*', ['redir {uri} 302']),
    ...TAKEN_AWAY.map((prefix) => block(`handle_path ${prefix}/*`, [...openRoutes, 'respond 404'])),
    ...routes.map(({ route }) => route),
  ]);
}

/** Writes the headers for players on other origins, on the responses that all of `only` match. */
function mediaHeaders(only: readonly string[]): string[] {
  const matcher = (name: string, not: string): string => block(`@${name}`, [...only, `not path ${not}`]);
  return [
    matcher('tao', '/no-tao/*'),
    'header @tao Timing-Allow-Origin *',
    matcher('open', '/no-cors/* /with-credentials/*'),
    'header @open Access-Control-Allow-Origin *',
    // A wildcard is not enough with cookies: the response must name the asking page's origin (Fetch standard, CORS check).
    '@credentials path /with-credentials/*',
    block('header @credentials', [
      'Access-Control-Allow-Origin {header.Origin}',
      'Access-Control-Allow-Credentials true',
      'Vary Origin',
    ]),
    matcher('cors', '/no-cors/*'),
    block('header @cors', [
      `Access-Control-Expose-Headers ${quoted(exposedHeaders)}`,
      `Access-Control-Allow-Headers ${quoted(allowedHeaders)}`,
      'Access-Control-Allow-Methods "GET, HEAD, OPTIONS, POST"',
      'Access-Control-Max-Age 7200',
    ]),
  ];
}

function contentType(extension: string, type: string): string {
  return `@${extension} path *.${extension}\nheader @${extension} Content-Type ${quoted(type)}`;
}

function mountRoute(prefix: string, mount: Mount, refused: readonly string[]): string {
  const serve =
    typeof mount !== 'string' && 'proxyUrl' in mount
      ? // Bytes are passed on at once: low-latency chunks would otherwise wait for each other.
        [block(`reverse_proxy ${mount.proxyUrl}`, ['flush_interval -1'])]
      : files(typeof mount === 'string' ? mount : mount.privateFolder, refused);
  return prefix === '/' ? block('handle', serve) : block(`handle_path ${prefix}/*`, serve);
}

function files(folder: string, refused: readonly string[]): string[] {
  // The path that Caddy matches is decoded, and has neither `.` nor `..` any more.
  const patterns = ['/(?:.*/)?\\x2E.*', ...refused.map((path) => `/${inRegularExpression(path)}(?:/.*)?`)];
  return [
    // Caddy's own `hide` looks at every folder above, too: the cache lies below one that begins with a dot.
    `@hidden path_regexp \`(?is)^(?:${patterns.join('|')})$\``,
    'respond @hidden 404',
    `root * ${quoted(folder)}`,
    'file_server',
  ];
}

/** Escapes a text letter by letter: no sign of a regular expression, of a Caddyfile or of its placeholders is left. */
const inRegularExpression = (text: string): string =>
  text.replace(/[\0-,./:-@[-`{-\x7f]/g, (sign) =>
    sign === '/' ? '/' : `\\x${sign.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );

function fixedRoutes(answers: CaddyfileOptions['fixedAnswers']): string[] {
  return Object.entries(answers).map(([path, body]) =>
    block(`handle ${path}`, [
      'header Content-Type application/json',
      `respond ${quoted(plainJson(body))} 200`,
    ]),
  );
}

/** Rewrites JSON so that no backslash precedes a quote and no text has a brace; its texts keep their meaning. */
const plainJson = (json: string): string =>
  json.replace(/"(?:[^"\\]|\\.)*"/g, (text) => {
    const escaped = (JSON.parse(text) as string).replace(
      /["\\{}\0-\x1f]/g,
      (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
    return `"${escaped}"`;
  });

function appRoutes({ appFolder, appRefused }: CaddyfileOptions): string[] {
  if (appFolder === null) return ['respond 404'];
  return [
    block('handle', [
      `header Content-Security-Policy ${quoted(contentSecurityPolicy)}`,
      'header X-Content-Type-Options nosniff',
      // Vite names files in assets/ after their content.
      'header /assets/* Cache-Control "public, max-age=31536000, immutable"',
      ...files(appFolder, appRefused),
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

/**
 * Quotes a Caddyfile token. It must be plain: within quotes a Caddyfile reads `{$NAME}` as a variable of the environment and
 * `{path}` as a placeholder, for which it has no escape, and a backslash stays unless a quote follows.
 */
function quoted(text: string): string {
  return `"${text.replaceAll('"', '\\"')}"`;
}
