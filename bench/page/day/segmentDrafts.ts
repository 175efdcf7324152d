import type { DecisionEvent, Draft, RequestEvent } from '../../../src/telemetry/event.ts';
import { bytesOf, transferMs } from '../../../src/shared/units.ts';
import { BITRATES_KBPS } from './ladder.ts';

/** One segment of the synthetic day. */
export interface Segment {
  readonly segment: number;
  readonly atMs: number;
  readonly segmentMs: number;
  readonly throughputKbps: number;
  readonly protocol: 'h2' | 'h3';
  readonly lastRung: number;
  readonly rung: number;
  readonly bufferTargetMs: number;
  /** 0 to 1; makes neighbours differ. */
  readonly jitter: number;
}

type MediaType = 'video' | 'audio';

/** Every field filled as a cross-origin segment on a connection in use fills them. */
export function requestDraft(at: Segment, mediaType: MediaType): Draft<RequestEvent> {
  const rung = mediaType === 'video' ? at.rung : 1;
  const bitrateKbps = BITRATES_KBPS[mediaType][rung]!;
  const sizeBytes = Math.round(bytesOf(bitrateKbps, at.segmentMs) * (0.8 + 0.4 * at.jitter));
  const startMs = at.atMs + (mediaType === 'audio' ? 12 : 2);
  const firstByteMs = startMs + 18 + 80 * at.jitter;
  const lastByteMs = firstByteMs + transferMs(sizeBytes, at.throughputKbps);
  return {
    kind: 'request',
    atMs: startMs - 1,
    type: 'media',
    mediaType,
    url: `https://synthetic.example/day/${mediaType}-${rung}/segment-${at.segment}.m4s`,
    finalUrl: null,
    method: 'GET',
    range: null,
    attempt: 0,
    outcome: 'ok',
    status: 200,
    endMs: lastByteMs + 1,
    segment: at.segment,
    mediaStartMs: at.atMs,
    mediaDurationMs: at.segmentMs,
    periodId: '0',
    representationId: `${mediaType}-${rung}`,
    rung,
    bitrateKbps,
    serviceLocation: null,
    protocol: at.protocol,
    connectionReused: true,
    ...phasesOf({ startMs, firstByteMs, lastByteMs }),
    receivedBytes: sizeBytes,
    transferSizeBytes: sizeBytes + 300,
    encodedBodyBytes: sizeBytes,
    decodedBodyBytes: sizeBytes,
    serverTiming: [],
    cmsdStatic: null,
    cmsdDynamic: null,
    missing: {
      finalUrl: 'not-applicable',
      range: 'not-applicable',
      serviceLocation: 'not-sent',
      redirectStartMs: 'not-applicable',
      redirectEndMs: 'not-applicable',
      secureConnectionStartMs: 'not-applicable',
      cmsdStatic: 'not-sent',
      cmsdDynamic: 'not-sent',
    },
  };
}

function phasesOf({
  startMs,
  firstByteMs,
  lastByteMs,
}: Record<'startMs' | 'firstByteMs' | 'lastByteMs', number>) {
  return {
    startMs,
    redirectStartMs: null,
    redirectEndMs: null,
    fetchStartMs: startMs,
    domainLookupStartMs: startMs,
    domainLookupEndMs: startMs,
    connectStartMs: startMs,
    secureConnectionStartMs: null,
    connectEndMs: startMs,
    requestStartMs: startMs + 1,
    firstByteMs,
    lastByteMs,
  };
}

/** A choice with three votes, as dash.js' dynamic rule casts them. */
export function decisionDraft(
  at: Segment,
  { mediaType, requestId }: { mediaType: MediaType; requestId: string },
): Draft<DecisionEvent> {
  const rung = mediaType === 'video' ? at.rung : 1;
  const estimateKbps = at.throughputKbps * (0.9 + 0.2 * at.jitter);
  const bufferMs = at.bufferTargetMs - at.segmentMs;
  const why = `Synthetic: 90 % of ${Math.round(estimateKbps)} kbit/s carries rung ${rung + 1}.`;
  return {
    kind: 'decision',
    atMs: at.atMs,
    mediaType,
    requestId,
    segment: at.segment,
    rule: 'ThroughputRule',
    fromRung: mediaType === 'video' ? at.lastRung : 1,
    rung,
    bitrateKbps: BITRATES_KBPS[mediaType][rung]!,
    holdUntilBufferMs: null,
    because: why,
    values: { estimateKbps, measuredKbps: at.throughputKbps },
    votes: [
      { rule: 'ThroughputRule', rung, because: why, asked: true },
      { rule: 'BolaRule', rung: null, because: 'The buffer is below its switch point.', asked: false },
      { rule: 'InsufficientBufferRule', rung, because: 'The buffer is not in danger.', asked: true },
    ],
    moment: {
      nowMs: at.atMs,
      playheadMs: at.atMs,
      bufferMs,
      bufferTargetMs: at.bufferTargetMs,
      segment: at.segment,
      segmentsLeft: null,
      lastRung: at.lastRung,
      liveLatencyMs: null,
      playbackRate: 1,
    },
    estimateKbps,
    tookMs: 0.2,
    missing: { holdUntilBufferMs: 'not-applicable' },
  };
}
