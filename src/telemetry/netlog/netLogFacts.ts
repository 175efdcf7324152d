/** What a NetLog tells about requests, races and connections. Times are Unix ms; unknown is null. */
export interface NetLogFacts {
  /** In the order in which they began. A redirect is a request of its own with the `sourceId` of the first. */
  readonly requests: readonly NetLogRequest[];
  readonly connections: ReadonlyMap<number, NetLogConnection>;
  readonly brokenPeriods: readonly BrokenPeriod[];
  /** When the first and the last event was logged; null for a log without events. */
  readonly spanUnixMs: { readonly from: number; readonly to: number } | null;
  /**
   * How the browser's QUIC was set: the numbers and truth values of `quicInfo`, of the first set of connections that has any.
   * Empty for a log that was not closed.
   */
  readonly quicSettings: Readonly<Record<string, number | boolean>>;
  /** Names of events that this reader needs and the browser's table does not have: another version calls them otherwise. */
  readonly lacking: readonly string[];
  /** Chromium's name of a net error, e.g. ERR_QUIC_PROTOCOL_ERROR for -356. */
  readonly netErrorNames: ReadonlyMap<number, string>;
}

/** One URL request of the browser's network stack, timed by the stack itself. */
export interface NetLogRequest {
  readonly sourceId: number;
  readonly url: string;
  readonly method: string;
  readonly startUnixMs: number;
  /** Response headers read; null when none came. */
  readonly firstByteUnixMs: number | null;
  /** The last read that brought body bytes or found the end; null when none did. */
  readonly lastByteUnixMs: number | null;
  readonly receivedBytes: number;
  /** Chromium's net error (net/base/net_error_list.h), e.g. -356 for a QUIC protocol error; null when it ended well. */
  readonly netError: number | null;
  /** In order; a request that the browser restarted races again. Empty when the cache answered. */
  readonly races: readonly NetLogRace[];
}

/**
 * How a race ended. `main` is TCP; `alternative` is QUIC known from Alt-Svc, `dns-alpn` QUIC known from DNS;
 * `quic-forced`: the browser was started to use QUIC at once (h3-only), so that its main job uses it.
 * `…-reused`: a QUIC session was there, so nobody had to race; if a preconnect had opened it for no request, the first one
 * has won with the times of that handshake. `main-alone`: no QUIC was tried; `main-broken`: none was tried because it is
 * marked broken; `main-after-quic-failed`: QUIC had failed before TCP was ready.
 * `failed`: no connection; `cancelled`: given up before the end; `unfinished`: the log ends before the race. `unknown`: the
 * request was sent or answered, but the log does not say over what, as of another version of Chromium.
 */
export const RACE_OUTCOMES = [
  'alternative-reused',
  'alternative-won',
  'dns-alpn-reused',
  'dns-alpn-won',
  'main-won',
  'main-alone',
  'main-broken',
  'main-after-quic-failed',
  'quic-forced',
  'failed',
  'cancelled',
  'unfinished',
  'unknown',
] as const;
export type RaceOutcome = (typeof RACE_OUTCOMES)[number];

export interface NetLogRace {
  readonly startUnixMs: number;
  readonly outcome: RaceOutcome;
  /** A job was bound to the request, or the race was given up. */
  readonly decidedUnixMs: number | null;
  /** The wait that TCP was given first; QUIC's failure may shorten it. Null when TCP did not have to wait. */
  readonly mainDelayMs: number | null;
  /** TCP was let go after its wait; null when it did not wait or never came to run. */
  readonly mainResumedUnixMs: number | null;
  /** The loser went on without the request until here (to learn whether QUIC works); null when there was none. */
  readonly orphanEndUnixMs: number | null;
  /** True while a loser was still running at the end of the log. */
  readonly orphanRuns: boolean;
  /** Source id of the socket or QUIC session that carried the request: DevTools' `connectionId`. */
  readonly connectionId: number | null;
  /** What ended the stream this race had won: a restart, or the failure of the request. */
  readonly netError: number | null;
  /** Why QUIC and TCP were raced, by `foldCauses.ts`; absent where they were not, or where nobody asked. */
  readonly cause?: string | undefined;
}

export interface NetLogConnection {
  readonly id: number;
  readonly kind: 'quic' | 'tcp';
  /** host:port as asked (QUIC), the peer's address (TCP). */
  readonly peer: string | null;
  readonly startUnixMs: number;
  /** Handshake confirmed: QUIC's crypto, TLS over TCP, or TCP's own where there is no TLS. */
  readonly readyUnixMs: number | null;
  /** TCP only: the connection stood, TLS began. */
  readonly tcpReadyUnixMs: number | null;
  readonly endUnixMs: number | null;
  /** TLS session resumed (TCP); null where the log does not tell. */
  readonly resumed: boolean | null;
  /** QUIC only; `sent` means that data left before the handshake and no word on it came. */
  readonly zeroRtt: string | null;
  /** QUIC only. */
  readonly packetsSent: number | null;
  readonly packetsReceived: number | null;
  readonly packetsLost: number | null;
  /** QUIC's close; null while open, and for TCP. */
  readonly close: { readonly error: string; readonly details: string; readonly fromPeer: boolean } | null;
}

/** While an alternative is marked broken, which Alt-Svc or DNS taught, Chromium tries no QUIC to that place. */
export interface BrokenPeriod {
  /** host:port of the alternative. */
  readonly alternative: string;
  /** The failure that caused it, or where that is unknown the first request that found it broken. */
  readonly startUnixMs: number;
  /** A request found it usable again; null when none did before the log ended. */
  readonly endUnixMs: number | null;
  /** The last QUIC failure to that place before it was found broken, in Chromium's words; null when there was none. */
  readonly cause: string | null;
}
