import type { LaunchOptions } from '../../lab/browser/browser.ts';
import type { SessionFailure } from './sessionFailure.ts';
import type { SessionLog } from '../../src/telemetry/schema/sessionLog.ts';

/** Where a session is played: its page, its stream, and how a browser gets to both. */
export interface Place {
  readonly appUrl: string;
  readonly mpdUrl: string;
  /** A media file on each other server that the stream comes from; absent: it comes from the server of its MPD alone. */
  readonly mediaUrls?: readonly string[];
  /** The same files under a name without HTTP/3; absent where there is none. */
  readonly tcpUrl?: string;
  readonly browser: Pick<LaunchOptions, 'executablePath' | 'spkiSha256Base64' | 'hostRules' | 'enter'>;
  /** When the page is loaded: resolves with the moment at which play is due, or null for at once. */
  ready(): Promise<number | null>;
  /** The browser's visit before the session is over: what came until then is not the session's. */
  visited?(): void;
  /** Settles when the place breaks down before `leave`: the laboratory failed, not the session. */
  readonly brokeDown: Promise<SessionFailure>;
  /** What the log's environment says of it, at the end of the session that the log is of. */
  facts(log: SessionLog): Promise<Partial<SessionLog['environment']>>;
  /** The logs of other viewers on the same link, once there are facts; absent: there are none. */
  others?(): readonly SessionLog[];
  /** What the origin writes about its connections; absent: it is silent. */
  readonly transportLog?: TransportLog;
  /** What the origins write about the requests of the session; absent: the stream is elsewhere. */
  readonly accessLogs?: readonly AccessLogPart[];
  leave(): Promise<void>;
}

/** A log of requests, of the session alone where there is no host. */
export interface AccessLogPart {
  readonly file: string;
  /** Where in it the session begins. */
  readonly fromByte: number;
  /** The name under which the session asks, for a log that others write into too. */
  readonly host: string | null;
}

/** A file of the instrumented origin. */
export interface TransportLog {
  readonly file: string;
  /** Where in it the session begins. */
  readonly fromByte: number;
  /** Whether other sessions write into it too. */
  readonly isShared: boolean;
}
