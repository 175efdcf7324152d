import { absent, withReasons, type Absent, type Draft, type RequestEvent } from '../event.ts';
import { redactUrl } from '../redactUrl.ts';
import { timingFields, type TimingEntry } from './resourceTiming.ts';

/** Resource Timing has no field for it. */
const UNKNOWN = absent('not-supported');

/** These answers have no body (RFC 9110, sections 15.3.5 and 15.4.5). */
const BODILESS = [204, 304];

/**
 * What became of a request, as far as its entry says it. In Chromium 156 an entry without a status is one of a request that got
 * no connection or no answer, ran into a time-out, or was cancelled; which of them it does not say. A body that the page
 * cancelled has the status of its answer and no size. A body that broke off looks like a shorter one that is whole.
 */
export function outcomeOf({
  responseStatus = 0,
  requestStart,
  encodedBodySize,
}: TimingEntry): RequestEvent['outcome'] {
  if (responseStatus >= 400) return 'http-error';
  const isCancelled = requestStart > 0 && encodedBodySize === 0 && !BODILESS.includes(responseStatus);
  return responseStatus === 0 || isCancelled ? null : 'ok';
}

/** Returns a request of which nothing is known but its Resource Timing entry, as the log takes it. */
export function observedRequest(
  entry: TimingEntry,
  {
    type,
    sessionMs,
    keepQueryValues,
  }: {
    readonly type: RequestEvent['type'];
    /** Session time of a `performance.now()` value, ms. */
    readonly sessionMs: (performanceMs: number) => number;
    readonly keepQueryValues: boolean;
  },
): Draft<RequestEvent> {
  const { responseStatus: status = 0, requestStart, encodedBodySize } = entry;
  const outcome = outcomeOf(entry);
  const timing = timingFields(entry, {
    sessionMs,
    // Whatever became of it otherwise, its body is there.
    outcome: encodedBodySize > 0 ? 'ok' : outcome,
    // A hidden entry hides redirects, too.
    redirected: requestStart === 0,
    ranged: status === 206,
  });
  return {
    kind: 'request',
    atMs: sessionMs(entry.startTime),
    ...withReasons({
      type,
      url: redactUrl(entry.name, keepQueryValues).slice(0, 16_000),
      finalUrl: UNKNOWN,
      method: UNKNOWN,
      range: UNKNOWN,
      attempt: UNKNOWN,
      outcome: outcome ?? UNKNOWN,
      status: status > 0 ? status : UNKNOWN,
      endMs: sessionMs(entry.responseEnd),
      ...placeIn(type === 'media' ? UNKNOWN : absent('not-applicable')),
      serviceLocation: UNKNOWN,
      ...timing,
      receivedBytes: timing.decodedBodyBytes,
      cmsdStatic: UNKNOWN,
      cmsdDynamic: UNKNOWN,
    }),
  };
}

/** Where in the stream it belongs. */
const placeIn = (why: Absent) => ({
  mediaType: why,
  segment: why,
  mediaStartMs: why,
  mediaDurationMs: why,
  periodId: why,
  representationId: why,
  rung: why,
  bitrateKbps: why,
});
