import type { MediaType } from '../../abr/rule.ts';
import type { Draft, MissingReason, RequestEvent } from '../../telemetry/event.ts';
import type { Content } from '../content.ts';
import { manifestUrl, PERIOD_ID, representationId } from './sceneNames.ts';

/** One simulated request, as far as a model knows it. Times are session time, ms. */
export interface SimFetch {
  readonly type: 'media' | 'init';
  readonly mediaType: MediaType;
  /** null for an init segment. */
  readonly segment: number | null;
  readonly rung: number;
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
  readonly outcome: 'ok' | 'aborted';
  /** ALPN id; null where the model has no protocol. */
  readonly protocol: string | null;
  readonly connectionReused: boolean | null;
}

/** A simulated request as the log takes it. What no simulation has (headers, redirects, a status) is null. */
export function simRequest(content: Content, fetch: SimFetch): Draft<RequestEvent> {
  const { startMs, lastByteMs, receivedBytes } = fetch;
  const whole = fetch.outcome === 'ok';
  const draft = {
    ...NEVER_KNOWN,
    ...fetch,
    ...purposeOf(content, fetch),
    atMs: startMs,
    fetchStartMs: startMs,
    endMs: lastByteMs,
    lastByteMs: whole ? lastByteMs : null,
    encodedBodyBytes: whole ? receivedBytes : null,
    decodedBodyBytes: whole ? receivedBytes : null,
  };
  return { ...draft, missing: missingIn(draft, whole ? 'not-applicable' : 'failed') };
}

/** What it was for. */
function purposeOf(content: Content, { type, mediaType, segment, rung }: SimFetch) {
  const track = mediaType === 'video' ? content.video : content.audio;
  if (!track) throw new Error(`${content.name} has no ${mediaType}.`);
  const id = representationId(mediaType, rung);
  return {
    url: `${manifestUrl(content)}/${id}/${segment ?? type}`,
    mediaStartMs: segment === null ? null : segment * track.segmentMs,
    mediaDurationMs: segment === null ? null : track.segmentMs,
    periodId: PERIOD_ID,
    representationId: id,
    bitrateKbps: track.ladder[rung]!.bitrateKbps,
  };
}

/** In the order of `schema/request.ts`. */
const NEVER_KNOWN = {
  kind: 'request' as const,
  finalUrl: null,
  method: 'GET',
  range: null,
  attempt: 0,
  status: null,
  serviceLocation: null,
  redirectStartMs: null,
  redirectEndMs: null,
  domainLookupStartMs: null,
  domainLookupEndMs: null,
  transferSizeBytes: null,
  serverTiming: null,
  cmsdStatic: null,
  cmsdDynamic: null,
};

const ENDED_EARLY = new Set([
  'requestStartMs',
  'firstByteMs',
  'lastByteMs',
  'encodedBodyBytes',
  'decodedBodyBytes',
]);

function missingIn(draft: object, cutOff: MissingReason): Record<string, MissingReason> {
  const missing: Record<string, MissingReason> = {};
  for (const [name, value] of Object.entries(draft))
    if (value === null) missing[name] = ENDED_EARLY.has(name) ? cutOff : 'not-applicable';
  return missing;
}
