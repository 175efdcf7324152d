import { hasLadder, type RequestEvent } from '../../event.ts';
import type { RequestRanges } from '../../join/requestRanges.ts';
import { NO_PURPOSE, type RequestAnswer, type RequestPurpose } from '../../join/requestDraft.ts';

/**
 * dash.js' FragmentRequest (streaming/vo/FragmentRequest.js), as far as we read it. `index.d.ts` types several of
 * these as always there; at run time they are NaN or null where they mean nothing.
 */
export interface DashRequest {
  readonly type?: string | null;
  readonly mediaType?: string | null;
  readonly index?: number | null;
  /** s */
  readonly startTime?: number | null;
  /** s */
  readonly duration?: number | null;
  readonly range?: string | null;
  readonly retryAttempts?: number;
  readonly serviceLocation?: string | null;
  readonly fileLoaderType?: string;
  /** false: the segment is sent in chunks, each when it is made. */
  readonly availabilityTimeComplete?: boolean;
  readonly representation?: DashRepresentation | null;
}

export interface DashRepresentation {
  readonly id: string;
  /** bit/s */
  readonly bandwidth: number;
  /** Place among the levels, the lowest first. */
  readonly absoluteIndex?: number;
  /** Pixels; NaN or 0 where the MPD does not say it. */
  readonly height?: number | null;
  readonly mediaInfo?: { readonly streamInfo?: { readonly id?: string | null } | null } | null;
}

/** The request that dash.js' HTTPLoader hands to interceptors (CommonMediaRequest). */
export interface LoaderRequest {
  url: string;
  method?: string;
  customData?: LoaderData;
}

export interface LoaderData {
  request?: DashRequest;
  /** Put there by the recorder, for a loader of ours. */
  recorded?: RecordedRequest;
}

/** What a loader tells the recorder of a request beyond dash.js' callbacks. */
export interface RecordedRequest {
  /** The part of the request that is out: its id in the log, its URL, and how many bytes of the body came before it. */
  part(): { id: string; url: string; bytesBefore: number } | null;
  /** The request was aborted after `receivedBytes` of its body, and what is missing is being requested from `url`. */
  continued(part: { url: string; range: string | null; receivedBytes: number }): void;
  /** The other server sends the whole body instead of what is missing. */
  beganAnew(): void;
  /** The request goes out in these ranges: they have the Resource Timing entries, and the request is what they are together. */
  inRanges(ranges: RequestRanges): void;
}

/** The response that dash.js' HTTPLoader hands to interceptors (CommonMediaResponse). */
export interface LoaderResponse {
  readonly request: LoaderRequest;
  readonly url?: string;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly data?: unknown;
}

/** dash.js' request types (streaming/vo/metrics/HTTPRequest.js) in ours; what is not here is 'other'. */
const TYPES: Readonly<Record<string, RequestEvent['type']>> = {
  MPD: 'manifest',
  InitializationSegment: 'init',
  IndexSegment: 'index',
  MediaSegment: 'media',
  BitstreamSwitchingSegment: 'init',
  XLinkExpansion: 'xlink',
  ContentSteering: 'steering',
  license: 'license',
};

/** What dash.js says a request is for. `rungOf` gives the rung on the ladder that is offered now. */
export function purposeOf(request: DashRequest, rungOf: RungOf): RequestPurpose {
  const { representation } = request;
  const type = typeOf(request);
  const mediaType = mediaTypeOf(request);
  return {
    ...NO_PURPOSE,
    type,
    mediaType,
    ...(type === 'media' && segmentOf(request)),
    ...(representation && representationOf(representation, mediaType, rungOf)),
    serviceLocation: request.serviceLocation ?? null,
  };
}

type RungOf = (
  mediaType: 'video' | 'audio',
  periodId: string | null,
  representationId: string,
) => number | null;

function segmentOf({ index, startTime, duration }: DashRequest) {
  return {
    segment: wholeOrNull(index),
    mediaStartMs: msOrNull(startTime),
    mediaDurationMs: msOrNull(duration),
  };
}

export function representationOf(
  { id, bandwidth, mediaInfo }: DashRepresentation,
  mediaType: RequestPurpose['mediaType'],
  rungOf: RungOf,
) {
  const periodId = mediaInfo?.streamInfo?.id ?? null;
  return {
    periodId,
    representationId: String(id),
    rung: hasLadder(mediaType) ? rungOf(mediaType, periodId, String(id)) : null,
    bitrateKbps: bandwidth > 0 ? bandwidth / 1000 : null,
  };
}

/**
 * SegmentBaseLoader asks for the sidx with the type of a media segment but without an index or a time
 * (dash/SegmentBaseLoader.js, FragmentRequest.setInfo).
 */
function typeOf(request: DashRequest): RequestEvent['type'] {
  const type = TYPES[request.type ?? ''] ?? 'other';
  return type === 'media' && wholeOrNull(request.index) === null && msOrNull(request.startTime) === null
    ? 'index'
    : type;
}

function mediaTypeOf({ mediaType }: DashRequest): RequestEvent['mediaType'] {
  return hasLadder(mediaType) || mediaType === 'text' ? mediaType : null;
}

function wholeOrNull(value: number | null | undefined): number | null {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : null;
}

function msOrNull(seconds: number | null | undefined): number | null {
  return typeof seconds === 'number' && Number.isFinite(seconds) ? seconds * 1000 : null;
}

/** What the hooks saw of a request. */
interface Seen {
  readonly aborted: boolean;
  readonly timedOut: boolean;
  /** Body bytes by progress events; null when nobody listened. */
  readonly progressBytes: number | null;
  readonly endMs: number;
  readonly method: string;
}

/** The answer as dash.js received it; `response` is what its loader filled in, status 0 when nothing came. */
export function answerOf(seen: Seen, response: LoaderResponse): RequestAnswer {
  const status = response.status ?? 0;
  const complete = hasBody(response, seen.method);
  return {
    outcome: outcomeOf(seen, { status, complete }),
    status,
    finalUrl: response.url ?? '',
    headers: lowerCaseNames(response.headers ?? {}),
    receivedBytes: bytesOf(response, seen.progressBytes),
    endMs: seen.endMs,
  };
}

function outcomeOf(
  { aborted, timedOut }: Seen,
  { status, complete }: { status: number; complete: boolean },
): RequestAnswer['outcome'] {
  if (timedOut) return 'timeout';
  if (aborted) return 'aborted';
  if (status >= 400) return 'http-error';
  return status >= 100 && complete ? 'ok' : 'network-error';
}

/** FetchLoader knows the status before the body: a body that broke off leaves a good status and no data. */
function hasBody({ data, request }: LoaderResponse, method: string): boolean {
  if (request.customData?.request?.fileLoaderType !== 'fetch_loader') return true;
  return method === 'HEAD' || (data !== undefined && data !== null);
}

/** FetchLoader leaves only the last piece in `data`; its progress events count the whole. */
function bytesOf({ data, request }: LoaderResponse, progressBytes: number | null): number | null {
  const whole = request.customData?.request?.fileLoaderType !== 'fetch_loader';
  return whole && data instanceof ArrayBuffer ? data.byteLength : progressBytes;
}

function lowerCaseNames(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
