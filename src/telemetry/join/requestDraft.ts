import {
  absent,
  finiteOr,
  hasLadder,
  textOr,
  withReasons,
  type Absent,
  type Draft,
  type MissingReason,
  type RequestEvent,
} from '../event.ts';
import { redactUrl, withoutFragment } from '../redactUrl.ts';
import { endedEarly, timingFields, type TimingEntry } from './resourceTiming.ts';

/** What a request was for, as dash.js knows it; NaN and null where it does not. Times in ms of the presentation. */
export interface RequestPurpose {
  readonly type: RequestEvent['type'];
  readonly mediaType: RequestEvent['mediaType'];
  readonly segment: number | null;
  readonly mediaStartMs: number | null;
  readonly mediaDurationMs: number | null;
  readonly periodId: string | null;
  readonly representationId: string | null;
  readonly rung: number | null;
  readonly bitrateKbps: number | null;
  readonly serviceLocation: string | null;
  /** The aborted request whose body this one continues. */
  readonly continues?: string;
  /** Place of the request in a session without media. */
  readonly transfer?: NonNullable<RequestEvent['transfer']>;
}

/** Nothing but its type is known of what a request was for. */
export const NO_PURPOSE: Omit<RequestPurpose, 'type'> = {
  mediaType: null,
  segment: null,
  mediaStartMs: null,
  mediaDurationMs: null,
  periodId: null,
  representationId: null,
  rung: null,
  bitrateKbps: null,
  serviceLocation: null,
};

/** The answer as the player received it. */
export interface RequestAnswer {
  readonly outcome: RequestEvent['outcome'];
  /** HTTP status; 0 without a response. */
  readonly status: number;
  /** URL after redirects; '' without a response. */
  readonly finalUrl: string;
  /** Response headers, names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Body bytes after content decoding, also of half a body; null when not known. */
  readonly receivedBytes: number | null;
  /** `performance.now()` when the player saw the end. */
  readonly endMs: number;
  /** How long its bytes came, without the waits between its chunks; absent where it has none, or nobody knows. */
  readonly activeMs?: number;
}

export interface RequestFacts {
  /** Absolute URL, as sent. */
  readonly url: string;
  readonly method: string;
  /** Range that was asked for, "first-last"; null for the whole resource. */
  readonly range: string | null;
  readonly attempt: number;
  readonly askedMs: number;
  readonly purpose: RequestPurpose;
  /** Answer to the request; null while it is in flight. */
  readonly answer: RequestAnswer | null;
  /** Bytes that had arrived at some `performance.now()` values; absent where nobody counts. */
  readonly progress?: readonly { readonly atMs: number; readonly bytes: number }[];
  readonly timing: TimingEntry | MissingReason;
  /** What is known of the ranges in which it went out; absent for a request that went out as it is. */
  readonly ranges?: RequestEvent['ranges'];
}

export interface RequestSurroundings {
  readonly sessionMs: (performanceMs: number) => number;
  readonly keepQueryValues: boolean;
  /** "https://host:port" of the page: hides nothing from itself. */
  readonly pageOrigin: string;
  /** The pathway of a URL; null for a URL of none. Absent in sessions without steering. */
  readonly pathwayOf?: ((url: string) => string | null) | undefined;
}

/** A request as the log takes it, every unknown with its reason. */
export function requestDraft(facts: RequestFacts, around: RequestSurroundings): Draft<RequestEvent> {
  const { sessionMs, keepQueryValues } = around;
  const outcome = facts.answer?.outcome ?? 'in-flight';
  const redirected = wasRedirected(facts);
  const pathway = around.pathwayOf?.(facts.url) ?? null;
  const { continues } = facts.purpose;
  return {
    kind: 'request',
    atMs: sessionMs(facts.askedMs),
    ...(pathway !== null && { pathway }),
    ...(continues !== undefined && { continues }),
    ...transferFields(facts, around),
    ...activeFields(facts),
    ...(facts.ranges && { ranges: facts.ranges }),
    ...withReasons({
      ...purposeFields(facts.purpose, keepQueryValues),
      url: redactUrl(facts.url, keepQueryValues).slice(0, 16_000),
      method: facts.method,
      range: facts.range ?? absent('not-applicable'),
      attempt: facts.attempt,
      outcome,
      ...answerFields(facts, around),
      ...timingFields(facts.answer ? facts.timing : 'in-flight', {
        sessionMs,
        outcome,
        redirected,
        ranged: facts.range !== null,
      }),
    }),
  };
}

/** What only requests of sessions without media have. */
function transferFields(
  { purpose, progress }: RequestFacts,
  { sessionMs }: RequestSurroundings,
): Pick<RequestEvent, 'transfer' | 'progress'> {
  return {
    ...(purpose.transfer && { transfer: purpose.transfer }),
    ...(progress && { progress: progress.map(({ atMs, bytes }) => ({ atMs: sessionMs(atMs), bytes })) }),
  };
}

const activeFields = ({ answer }: RequestFacts): Pick<RequestEvent, 'activeMs'> =>
  answer?.activeMs === undefined ? {} : { activeMs: answer.activeMs };

function answerFields({ url, answer }: RequestFacts, around: RequestSurroundings) {
  if (!answer) return unanswered(absent('in-flight'));
  const { status, finalUrl, receivedBytes, endMs, headers, outcome } = answer;
  if (!isStatus(status)) {
    const why = absent(endedEarly(outcome));
    return { ...unanswered(why), endMs: around.sessionMs(endMs), receivedBytes: receivedBytes ?? why };
  }
  const header = (name: string): string | Absent =>
    textOr(headers[name]?.slice(0, 4000), isSameOrigin(url, finalUrl, around) ? 'not-sent' : 'not-exposed');
  return {
    finalUrl: sameUrl(url, finalUrl)
      ? absent('not-applicable')
      : redactUrl(finalUrl, around.keepQueryValues).slice(0, 16_000),
    status,
    endMs: around.sessionMs(endMs),
    receivedBytes: receivedBytes ?? absent('not-supported'),
    cmsdStatic: header('cmsd-static'),
    cmsdDynamic: header('cmsd-dynamic'),
  };
}

function unanswered(why: Absent) {
  return {
    finalUrl: why,
    status: why,
    endMs: why,
    receivedBytes: why,
    cmsdStatic: why,
    cmsdDynamic: why,
  };
}

function purposeFields(purpose: RequestPurpose, keepQueryValues: boolean) {
  const { type, mediaType } = purpose;
  const ofMedia = type === 'media' ? 'not-supported' : 'not-applicable';
  // A text track has no ladder.
  const ofLadder = hasLadder(mediaType) && type === 'media';
  return {
    type,
    mediaType: mediaType ?? absent('not-applicable'),
    segment: finiteOr(purpose.segment, ofMedia),
    mediaStartMs: finiteOr(purpose.mediaStartMs, ofMedia),
    mediaDurationMs: finiteOr(purpose.mediaDurationMs, ofMedia),
    periodId: textOr(purpose.periodId, ofMedia),
    representationId: textOr(purpose.representationId, ofMedia),
    rung: finiteOr(purpose.rung, ofLadder ? 'not-supported' : 'not-applicable'),
    bitrateKbps: finiteOr(purpose.bitrateKbps, ofMedia),
    // dash.js takes the BaseURL itself for a service location that has no name.
    serviceLocation: textOr(redactUrl(purpose.serviceLocation ?? '', keepQueryValues), 'not-sent'),
  };
}

const isStatus = (status: number): boolean => Number.isInteger(status) && status >= 100 && status <= 599;

function wasRedirected({ url, answer }: RequestFacts): boolean {
  return answer !== null && isStatus(answer.status) && !sameUrl(url, answer.finalUrl);
}

/** `responseURL` comes without fragment; some loaders leave it empty. */
function sameUrl(asked: string, final: string): boolean {
  return final === '' || withoutFragment(asked) === withoutFragment(final);
}

function isSameOrigin(url: string, finalUrl: string, { pageOrigin }: RequestSurroundings): boolean {
  const origin = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i.exec(finalUrl || url)?.[0];
  return origin?.toLowerCase() === pageOrigin.toLowerCase();
}
