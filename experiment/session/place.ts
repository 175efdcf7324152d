import type { LaunchOptions } from '../../lab/browser/browser.ts';
import type { LoggedQuestion } from '../../lab/dns/startResolver.ts';
import type { SessionFailure } from './sessionFailure.ts';
import type { SessionLog } from '../../src/telemetry/schema/sessionLog.ts';

/** Where a session is played: its page, its stream, and how a browser gets to both. */
export interface Place {
  readonly appUrl: string;
  readonly mpdUrl: string;
  /** A media file on each other server that the stream comes from; absent: it comes from the server of its MPD alone. */
  readonly mediaUrls?: readonly string[];
  /** Address of the same files under a name without HTTP/3; absent where there is none. */
  readonly tcpUrl?: string;
  readonly browser: Pick<
    LaunchOptions,
    'executablePath' | 'spkiSha256Base64' | 'hostRules' | 'asksDns' | 'enter'
  >;
  /** Called when the page is loaded. Resolves with the moment at which play is due, or null for at once. */
  ready(): Promise<number | null>;
  /** Called when the browser's visit before the session is over: what came until then is not the session's. */
  visited?(): void;
  /** Settles when the place breaks down before `leave`: the laboratory failed, not the session. */
  readonly brokeDown: Promise<SessionFailure>;
  /** Returns what the log's environment says of the place, at the end of the session that the log is of. */
  facts(log: SessionLog): Promise<Partial<SessionLog['environment']>>;
  /** Returns the logs of other viewers on the same link, once there are facts; absent: there are none. */
  others?(): readonly SessionLog[];
  /** Log that the origin writes about its connections; absent: it writes none. */
  readonly transportLog?: TransportLog;
  /** Returns the questions that the lab's DNS server has answered; absent: there is none. */
  dnsQuestions?(): readonly LoggedQuestion[];
  /** Logs that the origins write about the requests of the session; absent: the stream is elsewhere. */
  readonly accessLogs?: readonly AccessLogPart[];
  leave(): Promise<void>;
}

/** A log of requests; it has those of the session alone where there is no host. */
export interface AccessLogPart {
  readonly file: string;
  /** Byte at which the session begins in the file. */
  readonly fromByte: number;
  /** The name under which the session asks, for a log that others write into too. */
  readonly host: string | null;
}

/** A file of the instrumented origin. */
interface TransportLog {
  readonly file: string;
  /** Byte at which the session begins in the file. */
  readonly fromByte: number;
  /** Whether other sessions write into the file, too. */
  readonly isShared: boolean;
}
