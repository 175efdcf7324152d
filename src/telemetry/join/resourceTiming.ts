import { absent, textOr, type Absent, type MissingReason, type RequestEvent } from '../event.ts';

/**
 * What we read of a `PerformanceResourceTiming` (Resource Timing Level 2), as plain data. Times are ms on the page's
 * `performance.now()` clock; 0 is "did not happen or is hidden", '' is "hidden".
 */
export interface TimingEntry {
  /** The URL that was asked for, without fragment; redirects do not change it. */
  readonly name: string;
  readonly startTime: number;
  readonly redirectStart: number;
  readonly redirectEnd: number;
  /** Where a service worker answered. */
  readonly workerStart?: number;
  readonly fetchStart: number;
  readonly domainLookupStart: number;
  readonly domainLookupEnd: number;
  readonly connectStart: number;
  readonly secureConnectionStart: number;
  readonly connectEnd: number;
  readonly requestStart: number;
  readonly responseStart: number;
  /** Headers of the final answer, where interim ones (103 Early Hints) came before: `responseStart` is theirs. */
  readonly finalResponseHeadersStart?: number;
  readonly responseEnd: number;
  readonly nextHopProtocol: string;
  readonly transferSize: number;
  readonly encodedBodySize: number;
  readonly decodedBodySize: number;
  readonly responseStatus?: number;
  readonly serverTiming?: readonly {
    readonly name: string;
    readonly duration: number;
    readonly description: string;
  }[];
}

/** What the timing fields need to know besides the entry. */
interface TimingContext {
  /** Session time of a `performance.now()` value. */
  readonly sessionMs: (performanceMs: number) => number;
  readonly outcome: RequestEvent['outcome'];
  readonly redirected: boolean;
  /** It asked for a byte range. */
  readonly ranged: boolean;
}

type Time = number | Absent;

/** Everything that a request's Resource Timing entry tells; each value that it does not tell has its reason. */
export function timingFields(timing: TimingEntry | MissingReason, context: TimingContext) {
  return typeof timing === 'string' ? unreported(timing) : reported(timing, context);
}

function reported(entry: TimingEntry, { sessionMs, outcome, redirected, ranged }: TimingContext) {
  const why = hiddenBecause(entry, outcome);
  const at = (ms: number, unless: MissingReason): Time => (ms > 0 ? sessionMs(ms) : absent(why ?? unless));
  // A request that failed after a redirect has no final address.
  const redirect = (ms: number): Time => (redirected || ms > 0 ? at(ms, 'no-tao') : absent('not-applicable'));
  return {
    ...connection(entry, why, at),
    protocol: protocolField(entry, { why, ranged }),
    startMs: sessionMs(entry.startTime),
    redirectStartMs: redirect(entry.redirectStart),
    redirectEndMs: redirect(entry.redirectEnd),
    fetchStartMs: at(entry.fetchStart, 'not-supported'),
    requestStartMs: at(entry.requestStart, 'not-supported'),
    firstByteMs: at(firstByteOf(entry), 'not-supported'),
    lastByteMs: lastByte(entry, outcome, sessionMs),
    ...sizes(entry, why ?? (hasArrived(outcome) ? null : endedEarly(outcome))),
    serverTiming: serverTiming(entry, why),
  };
}

/**
 * The phases of opening a connection. A reused connection has none: browsers then repeat `fetchStart` in all of them
 * (Resource Timing §4.5). "Reused" means that this request opened no connection: it rode one that was there, or one
 * that another request was just opening.
 */
function connection(
  entry: TimingEntry,
  why: MissingReason | null,
  at: (ms: number, unless: MissingReason) => Time,
) {
  const unknown = why ?? localReason(entry);
  const reused = entry.connectStart === entry.connectEnd;
  const phase = (ms: number): Time =>
    absentIf(unknown ?? (reused ? 'not-applicable' : null)) ?? at(ms, 'not-applicable');
  return {
    connectionReused: absentIf(unknown) ?? reused,
    domainLookupStartMs: phase(entry.domainLookupStart),
    domainLookupEndMs: phase(entry.domainLookupEnd),
    connectStartMs: phase(entry.connectStart),
    secureConnectionStartMs: phase(entry.secureConnectionStart),
    connectEndMs: phase(entry.connectEnd),
  };
}

/**
 * From the second byte range of a file on, Chromium 156 asks a server that sends validators through its cache
 * (`If-Range`), and the entry has every phase but an empty `nextHopProtocol`. Past the cache it has both
 * (docs/decisions/0013).
 */
function protocolField(
  entry: TimingEntry,
  { why, ranged }: { why: MissingReason | null; ranged: boolean },
): string | Absent {
  const unnamed = ranged ? 'range-cache' : 'not-supported';
  return (
    absentIf(why ?? localReason(entry)) ??
    textOr(entry.nextHopProtocol, entry.transferSize < entry.encodedBodySize ? 'revalidated' : unnamed)
  );
}

const absentIf = (reason: MissingReason | null): Absent | null => (reason ? absent(reason) : null);

/** Returns when the first byte of the final answer came. */
export const firstByteOf = ({ finalResponseHeadersStart, responseStart }: TimingEntry): number =>
  finalResponseHeadersStart || responseStart;

/** Why no connection is known that was used: nothing was transferred, yet there is a body. null: one was used. */
function localReason({ transferSize, encodedBodySize, workerStart = 0 }: TimingEntry): MissingReason | null {
  if (transferSize > 0 || encodedBodySize === 0) return null;
  return workerStart > 0 ? 'service-worker' : 'cached';
}

/**
 * An entry whose details are zero: hidden for want of Timing-Allow-Origin, or the request ended without a response,
 * and then there is nothing to hide.
 */
function hiddenBecause(entry: TimingEntry, outcome: RequestEvent['outcome']): MissingReason | null {
  const reported = entry.requestStart > 0 || entry.responseStart > 0 || entry.encodedBodySize > 0;
  if (reported || entry.nextHopProtocol !== '') return null;
  return hasArrived(outcome) ? 'no-tao' : endedEarly(outcome);
}

/** Why a request has no value that only a whole answer brings: what the player cancelled did not fail. */
export function endedEarly(outcome: RequestEvent['outcome']): MissingReason {
  if (outcome === null) return 'not-supported';
  return outcome === 'aborted' ? 'aborted' : 'failed';
}

const hasArrived = (outcome: RequestEvent['outcome']): boolean =>
  outcome === 'ok' || outcome === 'http-error';

/** Reads the sizes. For half a body browsers say 0: not a size but the want of one (seen in Chromium 156). */
function sizes(entry: TimingEntry, why: MissingReason | null) {
  return {
    transferSizeBytes: absentIf(why) ?? entry.transferSize,
    encodedBodyBytes: absentIf(why) ?? entry.encodedBodySize,
    decodedBodyBytes: absentIf(why) ?? entry.decodedBodySize,
  };
}

/** `responseEnd` is there without Timing-Allow-Origin too; without a response it is only the moment of failure. */
function lastByte(
  entry: TimingEntry,
  outcome: RequestEvent['outcome'],
  sessionMs: (performanceMs: number) => number,
): Time {
  const isKnown = hasArrived(outcome) && entry.responseEnd > 0;
  return isKnown ? sessionMs(entry.responseEnd) : absent(endedEarly(outcome));
}

function serverTiming({ serverTiming: metrics }: TimingEntry, why: MissingReason | null) {
  if (why) return absent(why);
  if (!metrics || metrics.length === 0) return absent(metrics ? 'not-sent' : 'not-supported');
  return metrics.slice(0, 100).map(({ name, duration, description }) => ({
    name: name.slice(0, 4000),
    durationMs: Math.max(0, Math.min(1e12, duration)),
    description: description.slice(0, 4000),
  }));
}

function unreported(reason: MissingReason) {
  const none = absent(reason);
  return {
    protocol: none,
    connectionReused: none,
    startMs: none,
    redirectStartMs: none,
    redirectEndMs: none,
    fetchStartMs: none,
    domainLookupStartMs: none,
    domainLookupEndMs: none,
    connectStartMs: none,
    secureConnectionStartMs: none,
    connectEndMs: none,
    requestStartMs: none,
    firstByteMs: none,
    lastByteMs: none,
    transferSizeBytes: none,
    encodedBodyBytes: none,
    decodedBodyBytes: none,
    serverTiming: none,
  };
}
