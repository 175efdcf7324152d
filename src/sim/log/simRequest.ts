import type { MediaType } from '../../abr/rule.ts';
import type { Draft, MissingReason, RequestEvent } from '../../telemetry/event.ts';
import type { Content, Track } from '../content.ts';
import { manifestUrl, pathwayUrl, PERIOD_ID, representationId } from './simEvents.ts';

/** One simulated request, as far as a model knows it. Times are session time, ms. */
export interface SimFetch {
  readonly type: 'media' | 'init' | 'manifest' | 'index' | 'probe';
  /** null for a file about the whole stream; so is the rung. */
  readonly mediaType: MediaType | null;
  /** null for all but media. */
  readonly segment: number | null;
  readonly rung: number | null;
  /** How often the player has asked for the same before, and given up; absent: not once. */
  readonly attempt?: number;
  /** The player asked. */
  readonly startMs: number;
  /** null when this request opened no connection, or the model knows none. */
  readonly connectStartMs: number | null;
  readonly connectEndMs: number | null;
  /** null when there is none: TLS is part of QUIC's own handshake. */
  readonly secureConnectionStartMs: number | null;
  /** null when it was given up before. */
  readonly requestStartMs: number | null;
  /** null when it was given up before. */
  readonly firstByteMs: number | null;
  readonly lastByteMs: number;
  readonly receivedBytes: number;
  /** `timeout`: it took too long, and was given up. */
  readonly outcome: 'ok' | 'aborted' | 'timeout';
  /** ALPN id; null where the model has no protocol. */
  readonly protocol: string | null;
  readonly connectionReused: boolean | null;
  /** Absent in sessions without steering. */
  readonly steered?: Steered;
}

/** What a request of a session with steering has beyond others. */
export interface Steered {
  readonly pathway: string;
  /** "first-last" of the bytes that are requested, "first-" of all from there on; null: the whole file. */
  readonly range: string | null;
  /** Id of the aborted request whose body this one continues; null: of none. */
  readonly continues: string | null;
  /** The file of a probe; null where the request itself names it. */
  readonly file: Pick<SimFetch, 'mediaType' | 'rung' | 'segment'> | null;
}

/**
 * A simulated request as the log takes it. What no simulation has (headers, redirects, a status) is null. One literal
 * of all its fields, in the order of `schema/request.ts`: put together from parts it costs ten times as much.
 */
export function simRequest(content: Content, fetch: SimFetch): Draft<RequestEvent> {
  const { type, mediaType, segment, rung, startMs, lastByteMs, receivedBytes, outcome, steered } = fetch;
  const { id, bitrateKbps, segmentMs } = representationOf(content, fetch);
  const wholeBytes = outcome === 'ok' ? receivedBytes : null;
  const draft: Draft<RequestEvent> = {
    kind: 'request',
    atMs: startMs,
    missing: missingIn(fetch),
    type,
    mediaType,
    url: `${manifestUrl(content)}/${id === null ? '' : `${id}/`}${segment ?? type}`,
    finalUrl: null,
    method: 'GET',
    range: null,
    attempt: fetch.attempt ?? 0,
    outcome,
    status: null,
    endMs: lastByteMs,
    segment,
    mediaStartMs: segment === null ? null : segment * segmentMs,
    mediaDurationMs: segment === null ? null : segmentMs,
    periodId: id && PERIOD_ID,
    representationId: id,
    rung,
    bitrateKbps,
    serviceLocation: null,
    protocol: fetch.protocol,
    connectionReused: fetch.connectionReused,
    startMs,
    redirectStartMs: null,
    redirectEndMs: null,
    fetchStartMs: startMs,
    domainLookupStartMs: null,
    domainLookupEndMs: null,
    connectStartMs: fetch.connectStartMs,
    secureConnectionStartMs: fetch.secureConnectionStartMs,
    connectEndMs: fetch.connectEndMs,
    requestStartMs: fetch.requestStartMs,
    firstByteMs: fetch.firstByteMs,
    lastByteMs: outcome === 'ok' ? lastByteMs : null,
    receivedBytes,
    transferSizeBytes: null,
    encodedBodyBytes: wholeBytes,
    decodedBodyBytes: wholeBytes,
    serverTiming: null,
    cmsdStatic: null,
    cmsdDynamic: null,
  };
  return steered ? steeredRequest(draft, content, { ...fetch, ...steered }) : draft;
}

function steeredRequest(
  draft: Draft<RequestEvent>,
  content: Content,
  { pathway, range, continues, file, ...asked }: SimFetch & Steered,
): Draft<RequestEvent> {
  const { mediaType, rung, segment } = file ?? asked;
  const folder = mediaType === null || rung === null ? '' : `${representationId(mediaType, rung)}/`;
  const missing = Object.entries(draft.missing).filter(([field]) => field !== 'range' || range === null);
  return {
    ...draft,
    missing: Object.fromEntries(missing),
    url: `${pathwayUrl(content, pathway)}/${folder}${segment ?? (file ? 'init' : asked.type)}`,
    range,
    pathway,
    ...(continues !== null && { continues }),
  };
}

/** What a request is of; a file about the whole stream is of no representation. */
function representationOf(content: Content, { mediaType, rung }: SimFetch) {
  if (mediaType === null || rung === null) return { id: null, bitrateKbps: null, segmentMs: 0 };
  const { ladder, segmentMs } = trackOf(content, mediaType);
  return { id: representationId(mediaType, rung), bitrateKbps: ladder[rung]!.bitrateKbps, segmentMs };
}

function trackOf({ name, video, audio }: Content, mediaType: MediaType): Track {
  const track = mediaType === 'video' ? video : audio;
  if (!track) throw new Error(`${name} has no ${mediaType}.`);
  return track;
}

type Reasons = Record<string, MissingReason>;

function missingIn(fetch: SimFetch): Reasons {
  const missing: Reasons = { ...NEVER_KNOWN };
  if (fetch.segment === null)
    missing['segment'] = missing['mediaStartMs'] = missing['mediaDurationMs'] = 'not-applicable';
  if (fetch.mediaType === null) for (const name of OF_A_TRACK) missing[name] = 'not-applicable';
  for (const name of OF_A_CONNECTION) if (fetch[name] === null) missing[name] = 'not-applicable';
  if (fetch.outcome === 'ok') return missing;
  const why = fetch.outcome === 'aborted' ? 'aborted' : 'failed';
  for (const name of REACHED) if (fetch[name] === null) missing[name] = why;
  return { ...missing, lastByteMs: why, encodedBodyBytes: why, decodedBodyBytes: why };
}

const OF_A_CONNECTION = [
  'protocol',
  'connectionReused',
  'connectStartMs',
  'secureConnectionStartMs',
  'connectEndMs',
] as const;
const OF_A_TRACK = ['mediaType', 'rung', 'representationId', 'bitrateKbps', 'periodId'] as const;
const REACHED = ['requestStartMs', 'firstByteMs'] as const;

const NEVER_KNOWN: Reasons = {
  finalUrl: 'not-applicable',
  range: 'not-applicable',
  status: 'not-applicable',
  serviceLocation: 'not-applicable',
  redirectStartMs: 'not-applicable',
  redirectEndMs: 'not-applicable',
  domainLookupStartMs: 'not-applicable',
  domainLookupEndMs: 'not-applicable',
  transferSizeBytes: 'not-applicable',
  serverTiming: 'not-applicable',
  cmsdStatic: 'not-applicable',
  cmsdDynamic: 'not-applicable',
};
