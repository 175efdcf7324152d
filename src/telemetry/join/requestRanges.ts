import { absent, withReasons, type MissingReason, type RequestEvent } from '../event.ts';
import type { RequestAnswer } from './requestDraft.ts';
import { endedEarly, firstByteOf, timingFields, type TimingEntry } from './resourceTiming.ts';

/** What has a Resource Timing entry of its own: a request, or one of the ranges in which it went out. */
export interface TimedRequest {
  /** As Resource Timing names it. */
  readonly url: string;
  /** `performance.now()`. */
  readonly sentMs: number;
  /** null while it is in flight. */
  readonly answer: Pick<RequestAnswer, 'outcome' | 'receivedBytes' | 'endMs'> | null;
  /** null until it is known. */
  timing: TimingEntry | MissingReason | null;
}

/** The ranges in which one request went out at the same time. */
export interface RequestRanges {
  /** In the order of sending. */
  readonly sent: readonly TimedRequest[];
  /** The timing of the request, and what the log says of each range. */
  recorded(sessionMs: (performanceMs: number) => number): {
    readonly timing: TimingEntry | MissingReason;
    readonly ranges: NonNullable<RequestEvent['ranges']>;
  };
}

/** How one range ended. `status` is 0 without an answer, `endMs` a `performance.now()`. */
export interface RangeEnd {
  readonly outcome: RequestAnswer['outcome'];
  readonly status: number;
  readonly receivedBytes: number;
  readonly endMs: number;
}

interface SentRange extends TimedRequest {
  readonly range: string;
  answer: RangeEnd | null;
}

/** The ranges of a request while they go out and end. */
export interface RangesInFlight extends RequestRanges {
  /** Call it before the range is out: its Resource Timing entry begins no earlier. What it returns ends it, once. */
  sending(one: Pick<SentRange, 'range' | 'url' | 'sentMs'>): (end: RangeEnd) => void;
}

export function createRequestRanges(): RangesInFlight {
  const sent: SentRange[] = [];
  return {
    sent,
    sending({ range, url, sentMs }) {
      const one: SentRange = { range, url, sentMs, answer: null, timing: null };
      sent.push(one);
      return (end) => void (one.answer ??= end);
    },
    recorded: (sessionMs) => ({
      timing: jointTiming(sent.map(({ timing }) => timing ?? 'no-entry')),
      ranges: sent.map((one) => recordOf(one, sessionMs)),
    }),
  };
}

const IN_FLIGHT = { outcome: 'in-flight', status: 0, receivedBytes: 0 } as const;

type SessionMs = (performanceMs: number) => number;

function recordOf(
  { range, answer, timing }: SentRange,
  sessionMs: SessionMs,
): NonNullable<RequestEvent['ranges']>[number] {
  const { outcome, status, receivedBytes } = answer ?? IN_FLIGHT;
  const seen = timingFields(answer && timing ? timing : 'in-flight', {
    sessionMs,
    outcome,
    redirected: false,
    ranged: true,
  });
  const { startMs, firstByteMs, lastByteMs, protocol, connectionReused, serverTiming } = seen;
  return withReasons({
    range,
    status: status > 0 ? status : absent(answer ? endedEarly(outcome) : 'in-flight'),
    receivedBytes,
    startMs,
    firstByteMs,
    lastByteMs,
    protocol,
    connectionReused,
    serverTiming,
  });
}

/** Copied by name: in a PerformanceResourceTiming they are getters, which a spread leaves out. */
const PHASES = [
  'redirectStart',
  'redirectEnd',
  'fetchStart',
  'domainLookupStart',
  'domainLookupEnd',
  'connectStart',
  'secureConnectionStart',
  'connectEnd',
  'requestStart',
  'responseStart',
] as const satisfies readonly (keyof TimingEntry)[];

/**
 * The timing of several requests that were one to whoever asked: from the first start to the last byte, with the sizes of
 * all. The phases before the first byte are those of the request that had it first, the protocol is that of the request
 * with the largest body. What is not known of one of them is not known of all.
 */
export function jointTiming(timings: readonly (TimingEntry | MissingReason)[]): TimingEntry | MissingReason {
  const entries = timings.filter((timing) => typeof timing !== 'string');
  const [first] = entries;
  if (!first || entries.length < timings.length)
    return timings.find((timing) => typeof timing === 'string') ?? 'no-entry';
  const lead = entries.reduce((one, other) => (other.responseStart < one.responseStart ? other : one));
  const largest = entries.reduce((one, other) => (other.decodedBodySize > one.decodedBodySize ? other : one));
  const sum = (field: 'transferSize' | 'encodedBodySize' | 'decodedBodySize'): number =>
    entries.reduce((total, entry) => total + entry[field], 0);
  return {
    ...(Object.fromEntries(PHASES.map((phase) => [phase, lead[phase]])) as Pick<
      TimingEntry,
      (typeof PHASES)[number]
    >),
    responseStart: firstByteOf(lead),
    name: lead.name,
    startTime: Math.min(...entries.map(({ startTime }) => startTime)),
    responseEnd: Math.max(...entries.map(({ responseEnd }) => responseEnd)),
    nextHopProtocol: largest.nextHopProtocol,
    transferSize: sum('transferSize'),
    encodedBodySize: sum('encodedBodySize'),
    decodedBodySize: sum('decodedBodySize'),
    ...(lead.serverTiming && { serverTiming: lead.serverTiming }),
  };
}
