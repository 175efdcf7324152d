import type { BrowserContext, Page } from '@playwright/test';
import type { Entry } from '../../src/shared/registry.ts';
import type { Result } from '../../src/shared/result.ts';
import type { DevToolsResponse } from '../../src/telemetry/join/transportOfBrowser.ts';
import type { NetLogFacts } from '../../src/telemetry/netlog/netLogFacts.ts';
import type { TransportMode } from '../../src/telemetry/transportModes.ts';

/**
 * What the lab asks of a browser: start in a transport mode, visit an origin before the session, and report which
 * connection carried each request. One that cannot report it says so with null, and its sessions lack that source.
 */
export interface Browser extends Entry {
  /** What set-up calls its program (`lab/tools.ts`). */
  readonly tool: 'chromium' | 'firefox';
  /** One for each way to use an origin that this browser can be started in. An id means the same in every browser. */
  readonly modes: readonly BrowserMode[];
  /**
   * Starts a process for one session, without requests of its own. Alt-Svc, tickets and connections are cold unless
   * `profileDir` brings them. Rejects when the browser does not start.
   */
  launch(options: LaunchOptions): Promise<RunningBrowser>;
  /**
   * Makes a running browser one that has visited an origin: it knows Alt-Svc, tickets and QUIC sessions, and no
   * connection is open any more. Rejects with one sentence when the origin does not answer. null: it cannot be made one.
   */
  readonly warmUp: ((context: BrowserContext, options: WarmUpOptions) => Promise<Warmed>) | null;
  /** Ends the events of a page's requests that the driver receives, where they cost the session something; null: it receives none. */
  readonly disableNetworkEvents: ((page: Page) => Promise<void>) | null;
  /** Watches the requests of a page while it plays. */
  readonly watchRequests: ((page: Page) => Promise<RequestWatch>) | null;
  /** Reads races and connections from the file that `LaunchOptions.netLogFile` named. A fault is one sentence. */
  readonly readRaces: ((file: string) => Promise<Result<BrowserFacts>>) | null;
  /** For `LaunchOptions.flags`, where it matters how it races: as it comes, or by HappyEyeballsV3. */
  racingFlags(isHappyEyeballs: boolean): string[];
  /** Asks a browser that was started with `racingFlags` whether it races by HappyEyeballsV3; null: `readRaces` reports it. */
  readonly readHappyEyeballs: ((context: BrowserContext) => Promise<boolean>) | null;
}

export interface BrowserFacts extends NetLogFacts {
  /** Whether it raced by HappyEyeballsV3; null: it logged nothing that says so. */
  readonly happyEyeballs: boolean | null;
}

/**
 * Which protocols a browser uses with an origin. All work on one port and one URL, so that a comparison changes the
 * browser and nothing else.
 */
export interface BrowserMode extends Entry {
  readonly id: TransportMode;
  /** The mode that this one is a variant of; absent: it is none. A variant is played where it is asked for. */
  readonly variantOf?: TransportMode;
  /** What a session in this mode means, in one sentence for people. */
  readonly meaning: string;
  /** For `LaunchOptions.flags`. */
  flags(target: ModeTarget): string[];
}

export interface ModeTarget {
  /** Those that the stream comes from: of its MPD, and of its media where they are elsewhere. */
  readonly servers: readonly Server[];
  /** True: a certificate of our own, accepted by its key. False: a publicly trusted one. */
  readonly ownCertificate: boolean;
}

export interface Server {
  /** Host name of the server, as in its URL. */
  readonly host: string;
  readonly port: number;
}

export interface LaunchOptions {
  readonly executablePath: string;
  /** What a browser has on its command line; a preference of Firefox is `--setpref=NAME=VALUE`, with a value of JSON. */
  readonly flags: readonly string[];
  /** SPKI hash of an own certificate to accept; null for publicly trusted origins. */
  readonly spkiSha256Base64: string | null;
  /** Chromium's `--host-resolver-rules`: test host names that live on loopback, or behind a link. */
  readonly hostRules: string | null;
  /** Whether names are asked of the DNS server that `executablePath` leads to, HTTPS records too. Then there are no host rules. */
  readonly asksDns?: boolean;
  /**
   * The command that runs another one in the namespace that `executablePath` enters, for a driver that has to reach a socket
   * there. Absent: the browser is in none.
   */
  readonly enter?: (command: readonly [string, ...string[]]) => readonly [string, ...string[]];
  /** An existing profile for warm starts; a fresh one, removed on close, when absent. */
  readonly profileDir?: string;
  /** Where the browser writes what `Browser.readRaces` reads. */
  readonly netLogFile?: string;
  readonly headless?: boolean;
}

export interface RunningBrowser {
  readonly context: BrowserContext;
  readonly profileDir: string;
  close(): Promise<void>;
}

export interface WarmUpOptions {
  /** Where the page of the session is: browsers keep Alt-Svc and tickets for requests from pages of this site only. */
  readonly pageUrl: string;
  /** The MPD, or something as small, then a media file on each other server of the stream. */
  readonly urls: readonly string[];
  /** For the answers; closing comes after. */
  readonly withinMs: number;
}

/** What a visit left a browser with. */
export interface Warmed {
  readonly startedAtUnixMs: number;
  /** All its connections are closed by then. */
  readonly endedAtUnixMs: number;
  /** What requests for the first of its URLs were answered with, each change: `h2`, then `h3` where the origin offers it. */
  readonly protocols: readonly string[];
}

/** What a browser reports of a page's requests, from the call on. */
export interface RequestWatch {
  /** Every request that was answered or failed so far, in the order in which they began. */
  responses(): readonly DevToolsResponse[];
}
