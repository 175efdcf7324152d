/** What a started origin offers to tests, the command line and the page's launcher. */
export interface Origin {
  /** `https://localhost:PORT`, without a trailing slash: http/1.1, h2 and h3 on one port. */
  readonly httpsUrl: string;
  /** `http://localhost:PORT`: the built app, and the same media over http/1.1. */
  readonly httpUrl: string;
  readonly httpsPort: number;
  readonly httpPort: number;
  /** The host in both URLs, as a certificate and Alt-Svc see it. */
  readonly host: string;
  /** Base64 SHA-256 of the certificate's public key, for `--ignore-certificate-errors-spki-list`. */
  readonly spki: string;
  /** JSON lines, one per finished request; read it with `readAccessLog`. It goes with `stop()` unless a path was asked for. */
  readonly accessLogFile: string;
  /** Caddy's process id, null while it is down. */
  readonly pid: number | null;
  /** A file with the process id of its last start, for `watchServers` in any process. It goes with `stop()`. */
  readonly pidFile: string;
  /** Sends a signal. Resolves when Caddy is gone, or at once for a signal that only pauses or resumes it. */
  kill(signal: NodeJS.Signals): Promise<void>;
  /**
   * Brings Caddy up again after `kill`, or replaces a running one: same ports, same certificate, same log. Offers
   * what it offered at first, or `protocols` until the next restart.
   */
  restart(changes?: Pick<OriginOptions, 'protocols'>): Promise<void>;
  /** Ends Caddy and removes everything it left. Safe to call twice. */
  stop(): Promise<void>;
}

/** For servers that run for days, whose log nobody reads. */
export const ACCESS_LOG_LIMIT_BYTES = 16 * 1024 * 1024;

/**
 * A folder of media, which players everywhere may read; a folder that only the app's own page may read; or a loopback server
 * to pass requests on to, for all or for that page only.
 */
export type Mount =
  string | { readonly privateFolder: string } | { readonly proxyUrl: string; readonly isPrivate?: true };

/** Null where there is none: a server answers. */
export function folderOf(mount: Mount): string | null {
  if (typeof mount === 'string') return mount;
  return 'privateFolder' in mount ? mount.privateFolder : null;
}

export const isPrivate = (mount: Mount): boolean =>
  typeof mount !== 'string' && ('privateFolder' in mount || mount.isPrivate === true);

/** How to start an origin. Every part has a default except what it serves. */
export interface OriginOptions {
  /** URL prefix → what is there, for example `{ '/media': '/path/of/a/folder' }`; `/` is allowed. */
  readonly mounts: Readonly<Record<string, Mount>>;
  /** Folder of the built app, served at `/` of the plain-http port, with its Content-Security-Policy. */
  readonly appFolder?: string;
  /** Ports to use; a free one is taken for each that is missing. */
  readonly httpsPort?: number;
  readonly httpPort?: number;
  /**
   * Host name in the URLs; a certificate is made for it too. Default `localhost`. Requests that name another host get 421,
   * except loopback's names, the addresses that are listened on, and names one label below this one.
   */
  readonly host?: string;
  /** Addresses to listen on. Default: 127.0.0.1, and ::1 where the machine has it. */
  readonly addresses?: readonly string[];
  /** What the https port offers. Default: all three. */
  readonly protocols?: readonly ('h1' | 'h2' | 'h3')[];
  /** Whether responses over TCP say that there is h3 (RFC 7838). Default: yes, where it is offered. */
  readonly altSvc?: boolean;
  /** Fixed answers on the plain-http port by path, made once the ports are known: `/pitwall.json` for the page. */
  readonly answers?: (ports: { httpsPort: number; httpPort: number }) => Readonly<Record<string, string>>;
  /** Linux network namespace to run in. It belongs to this origin alone, so every port is free there. */
  readonly namespace?: string;
  /** Where the access log goes. Default: a temporary folder that vanishes with the origin. */
  readonly accessLogFile?: string;
  /**
   * The access log keeps its newest lines alone: when it would grow longer it is moved beside itself, in the place of the one
   * before. Caddy counts in MiB, at least one. Default: everything is kept.
   */
  readonly accessLogLimitBytes?: number;
  /** Path of the Caddy binary. Default: the one that set-up found. */
  readonly caddy?: string;
}
