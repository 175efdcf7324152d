import type { RequestEvent } from '../event.ts';
import type { RequestPurpose } from '../requestDraft.ts';
import type { DashRepresentation, DashRequest } from './dashRequest.ts';

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
    type,
    mediaType,
    ...(type === 'media' ? segmentOf(request) : NO_SEGMENT),
    ...(representation ? representationOf(representation, mediaType, rungOf) : NO_REPRESENTATION),
    serviceLocation: request.serviceLocation ?? null,
  };
}

type RungOf = (
  mediaType: 'video' | 'audio',
  periodId: string | null,
  representationId: string,
) => number | null;

const NO_SEGMENT = { segment: null, mediaStartMs: null, mediaDurationMs: null };
const NO_REPRESENTATION = { periodId: null, representationId: null, rung: null, bitrateKbps: null };

function segmentOf({ index, startTime, duration }: DashRequest) {
  return {
    segment: wholeOrNull(index),
    mediaStartMs: msOrNull(startTime),
    mediaDurationMs: msOrNull(duration),
  };
}

function representationOf(
  { id, bandwidth, mediaInfo }: DashRepresentation,
  mediaType: RequestPurpose['mediaType'],
  rungOf: RungOf,
) {
  const periodId = mediaInfo?.streamInfo?.id ?? null;
  const hasLadder = mediaType === 'video' || mediaType === 'audio';
  return {
    periodId,
    representationId: String(id),
    rung: hasLadder ? rungOf(mediaType, periodId, String(id)) : null,
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
  return mediaType === 'video' || mediaType === 'audio' || mediaType === 'text' ? mediaType : null;
}

function wholeOrNull(value: number | null | undefined): number | null {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : null;
}

function msOrNull(seconds: number | null | undefined): number | null {
  return typeof seconds === 'number' && Number.isFinite(seconds) ? seconds * 1000 : null;
}
