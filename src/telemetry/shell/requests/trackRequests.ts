import type { MediaPlayerClass } from 'dashjs';
import { errorDraft } from '../../errorDraft.ts';
import { hasLadder } from '../../event.ts';
import type { RequestPurpose } from '../../join/requestDraft.ts';
import type { Surroundings } from '../surroundings.ts';
import type { Ladders } from '../trackPresentation.ts';
import {
  answerOf,
  purposeOf,
  type DashRequest,
  type LoaderRequest,
  type LoaderResponse,
  type RecordedRequest,
} from './dashRequest.ts';
import { hookLoader, type LoaderProgress } from './hookLoader.ts';
import type { RequestBook, RequestEntry } from './requestBook.ts';

type RequestInterceptor = Parameters<MediaPlayerClass['addRequestInterceptor']>[0];
type ResponseInterceptor = Parameters<MediaPlayerClass['addResponseInterceptor']>[0];

/** A request between its two interceptors. */
interface Tracked {
  entry: RequestEntry;
  sent: boolean;
  aborted: boolean;
  timedOut: boolean;
  progressBytes: number;
  /** null: not in chunks, or not known. */
  activeMs: number | null;
  endMs: number | null;
  /** Bytes of the body that earlier parts had; null for a request of one part. */
  bytesBefore: number | null;
}

/**
 * Follows every request that goes through dash.js' HTTPLoader, each attempt apart: manifest, init, index, media, text,
 * steering, xlink, CMCD events. Interceptors run once per attempt, also for failures and aborts; what they do not see
 * (time-outs, the moment of sending) comes from `hookLoader`. */
export function trackRequests({
  player,
  book,
  ladders,
  recording,
  clock,
}: Surroundings & { book: RequestBook; ladders: Ladders }): {
  /** The id of the last request that was made for a FragmentRequest of dash.js. */
  idOf(dashRequest: object): string | null;
  dispose(): void;
} {
  const tracked = new WeakMap<object, Tracked>();
  const onRequest = (request: LoaderRequest): void => {
    const { customData } = request;
    if (!customData?.request) return;
    refresh(customData.request, ladders);
    const one = follow(request, { book, purpose: purposeOf(customData.request, ladders.rungOf) });
    // An interceptor after ours may return another object: the parts inside are still the same.
    tracked.set(customData, one).set(customData.request, one);
  };
  const onResponse = (response: LoaderResponse): void => {
    const { customData } = response.request;
    const one = tracked.get(customData ?? {}) ?? tracked.get(customData?.request ?? {});
    if (one) finish(one, { response, book });
  };
  const interceptor = <Passed>(look: (passed: Passed) => void) =>
    (async (passed: Passed) => {
      try {
        look(passed);
      } catch (fault) {
        // Whatever goes wrong in here, the player's request goes on.
        recordFault(fault, { recording, clock });
      }
      return passed;
    }) as unknown;
  const request = interceptor(onRequest) as RequestInterceptor;
  const response = interceptor(onResponse) as ResponseInterceptor;
  player.addRequestInterceptor(request);
  player.addResponseInterceptor(response);
  return {
    idOf: (dashRequest) => tracked.get(dashRequest)?.entry.id ?? null,
    dispose() {
      player.removeRequestInterceptor(request);
      player.removeResponseInterceptor(response);
    },
  };
}

function refresh(asked: DashRequest, ladders: Ladders): void {
  const { mediaType, representation } = asked;
  const periodId = representation?.mediaInfo?.streamInfo?.id;
  if (!periodId || !hasLadder(mediaType)) return;
  ladders.refresh(mediaType, periodId, segmentMsOf(asked));
}

/** How long the media segment that is asked for plays; null for anything else. */
function segmentMsOf({ type, duration }: DashRequest): number | null {
  const segmentMs = (duration ?? 0) * 1000;
  return type === 'MediaSegment' && segmentMs > 0 && Number.isFinite(segmentMs) ? segmentMs : null;
}

function recordFault(fault: unknown, { recording, clock }: Pick<Surroundings, 'recording' | 'clock'>): void {
  const message = `The recorder failed at a request: ${String(fault)}`;
  recording.record(errorDraft({ atMs: clock.nowMs(), source: 'telemetry', code: 'recorder-threw', message }));
}

function follow(
  request: LoaderRequest,
  { book, purpose }: { book: RequestBook; purpose: RequestPurpose },
): Tracked {
  const asked = request.customData?.request;
  const one: Tracked = {
    entry: book.ask({
      url: request.url,
      method: request.method ?? 'GET',
      range: asked?.range ?? null,
      attempt: asked?.retryAttempts ?? 0,
      purpose,
    }),
    sent: false,
    aborted: false,
    timedOut: false,
    progressBytes: 0,
    activeMs: null,
    endMs: null,
    bytesBefore: null,
  };
  if (request.customData) request.customData.recorded = recordedOf(one, book);
  hookLoader(request.customData ?? {}, {
    onSending: () => book.sending(one.entry, request.url),
    onSent() {
      one.sent = true;
      book.sent(one.entry);
    },
    onProgress(event) {
      one.progressBytes = bytesAfter(one.progressBytes, event);
      if (asked?.availabilityTimeComplete === false) one.activeMs = activeIn(event) ?? one.activeMs;
    },
    onTimeout: () => void (one.timedOut = true),
    onAbort() {
      one.aborted = true;
      one.endMs = performance.now();
    },
    onLoadEnd: () => void (one.endMs = performance.now()),
  });
  return one;
}

function recordedOf(one: Tracked, book: RequestBook): RecordedRequest {
  return {
    part() {
      const { id, url } = one.entry;
      return id === null ? null : { id, url, bytesBefore: one.bytesBefore ?? 0 };
    },
    continued({ url, range, receivedBytes }) {
      const { entry } = one;
      const answer = { status: 0, finalUrl: '', headers: {}, endMs: performance.now() };
      book.end(entry, {
        url: entry.url,
        answer: { ...answer, outcome: 'aborted', receivedBytes: receivedBytes - (one.bytesBefore ?? 0) },
      });
      one.bytesBefore = receivedBytes;
      one.entry = book.ask({
        url,
        range,
        method: entry.method,
        attempt: entry.attempt,
        purpose: { ...entry.purpose, ...(entry.id !== null && { continues: entry.id }) },
      });
      book.sending(one.entry, url);
      book.sent(one.entry);
    },
    beganAnew: () => void (one.bytesBefore = 0),
    inRanges: (ranges) => void (one.entry.sentRanges = ranges),
  };
}

function finish(one: Tracked, { response, book }: { response: LoaderResponse; book: RequestBook }): void {
  const { request } = response;
  const hooked = one.sent;
  if (!hooked) {
    // An interceptor replaced `customData`, and the hooks with it.
    book.sent(one.entry);
    one.sent = true;
  }
  const seen = {
    ...one,
    progressBytes: hooked ? one.progressBytes : null,
    endMs: one.endMs ?? performance.now(),
    method: request.method ?? 'GET',
  };
  const answer = {
    ...answerOf(seen, response),
    ...(one.activeMs !== null && { activeMs: one.activeMs }),
  };
  if (one.bytesBefore === null) book.end(one.entry, { url: request.url, answer });
  else {
    const receivedBytes = answer.receivedBytes === null ? null : answer.receivedBytes - one.bytesBefore;
    // dash.js is told of a whole file; what this server sent was the rest of it.
    const status = one.bytesBefore > 0 && answer.status === 200 ? 206 : answer.status;
    book.end(one.entry, { url: one.entry.url, answer: { ...answer, status, receivedBytes, finalUrl: '' } });
  }
}

const activeIn = ({ time }: LoaderProgress): number | null =>
  typeof time === 'number' && Number.isFinite(time) && time >= 0 ? time : null;

/** XHR counts (`loaded`), FetchLoader hands out pieces and counts at the end. */
function bytesAfter(before: number, { loaded, data }: LoaderProgress): number {
  if (typeof loaded === 'number') return Math.max(before, loaded);
  return data ? before + data.byteLength : before;
}
