import * as Type from '@sinclair/typebox';
import {
  Count,
  DurationMs,
  event,
  Id,
  MediaTimeMs,
  Missing,
  orNull,
  RateKbps,
  RungIndex,
  SegmentNumber,
  SizeBytes,
  Text,
  TimeMs,
  Url,
} from './parts.ts';

const RequestType = Type.Union([
  Type.Literal('manifest'),
  Type.Literal('init'),
  Type.Literal('index'), // sidx of SegmentBase
  Type.Literal('media'),
  Type.Literal('steering'),
  Type.Literal('xlink'),
  Type.Literal('license'),
  Type.Literal('probe'), // bytes of a file for measurement alone
  Type.Literal('other'),
]);

const RequestOutcome = Type.Union([
  Type.Literal('ok'),
  Type.Literal('http-error'), // a response with status ≥ 400
  Type.Literal('network-error'), // no or half a response
  Type.Literal('timeout'), // killed by the player's own time-out
  Type.Literal('aborted'), // cancelled by the player (seek, abandon, stop)
  Type.Literal('in-flight'), // still running when the log was written
]);

const ServerTimingMetric = Type.Object(
  { name: Text, durationMs: Type.Number({ minimum: 0, maximum: 1e12 }), description: Text },
  { additionalProperties: false },
);

/** Which request of a session without media it is (`src/shared/transfer.ts`). */
const TransferPlace = Type.Object(
  {
    /** Number of the stream, from 0. */
    stream: Count,
    /** Place of the object in its stream, from 0. */
    object: Count,
    /** Size of the whole object, in all its ranges. */
    sizeBytes: SizeBytes,
    /** Place of the range in its object, from 0. */
    part: Count,
    /** How many ranges the object has; 1: it is requested whole. */
    parts: Count,
  },
  { additionalProperties: false },
);

const Status = Type.Integer({ minimum: 100, maximum: 599 });
const ServerTiming = Type.Array(ServerTimingMetric, { maxItems: 100 });

/** One of the ranges in which a body was requested at the same time, with the Resource Timing of its own request. */
const RequestRange = Type.Object(
  {
    /** Range as asked, "first-last" in bytes; without last: to the end of the file. */
    range: Text,
    status: orNull(Status),
    startMs: orNull(TimeMs),
    firstByteMs: orNull(TimeMs),
    lastByteMs: orNull(TimeMs),
    receivedBytes: SizeBytes,
    protocol: orNull(Text),
    connectionReused: orNull(Type.Boolean()),
    serverTiming: orNull(ServerTiming),
    missing: Missing,
  },
  { additionalProperties: false },
);

/**
 * One HTTP request of the player: every one, also retries, aborts and failures. `atMs` is when the player asked.
 * Phases are Resource Timing Level 2 on the session clock; a phase that did not happen is null with its reason.
 */
export const RequestEvent = event('request', {
  type: RequestType,
  mediaType: orNull(Type.Union([Type.Literal('video'), Type.Literal('audio'), Type.Literal('text')])),
  /** URL as asked, query values replaced unless the user chose to keep them. */
  url: Url,
  /** URL after redirects; null when there was none. */
  finalUrl: orNull(Url),
  /** null: nobody but the player knows it (a recording of the element alone). */
  method: orNull(Text),
  /** The Range asked for, "first-last" in bytes; null for the whole resource. */
  range: orNull(Text),
  /** Number of the try: 0 for the first try of this resource, then 1, 2 … for the player's retries; null as `method` is. */
  attempt: orNull(Count),
  /** null: the browser does not say whether it failed or was cancelled (a recording of the element alone). */
  outcome: orNull(RequestOutcome),
  status: orNull(Status),
  /** When the player saw the end (load, error, abort). */
  endMs: orNull(TimeMs),
  // what it was for
  segment: orNull(SegmentNumber),
  mediaStartMs: orNull(MediaTimeMs),
  mediaDurationMs: orNull(DurationMs),
  periodId: orNull(Text),
  representationId: orNull(Text),
  rung: orNull(RungIndex),
  bitrateKbps: orNull(RateKbps),
  serviceLocation: orNull(Text),
  /** Pathway that the request was sent to, in a session with steering. */
  pathway: Type.Optional(Text),
  /** The aborted request whose body this one continues, on another pathway. */
  continues: Type.Optional(Id),
  /** Place of the request in a session without media. */
  transfer: Type.Optional(TransferPlace),
  /** How many bytes had arrived when, in a session without media, at the most ten times a second. */
  progress: Type.Optional(
    Type.Array(Type.Object({ atMs: TimeMs, bytes: SizeBytes }, { additionalProperties: false }), {
      maxItems: 1_000_000,
    }),
  ),
  /** Ranges of a segment that was requested in several at once, in the order of sending; all other fields are of the whole. */
  ranges: Type.Optional(Type.Array(RequestRange, { minItems: 1, maxItems: 100 })),
  /**
   * How long the bytes of a low-latency segment came that was sent in chunks, without the waits for chunks that were not made
   * yet, as dash.js works it out.
   */
  activeMs: Type.Optional(DurationMs),
  // how it travelled
  protocol: orNull(Text),
  connectionReused: orNull(Type.Boolean()),
  startMs: orNull(TimeMs),
  redirectStartMs: orNull(TimeMs),
  redirectEndMs: orNull(TimeMs),
  fetchStartMs: orNull(TimeMs),
  domainLookupStartMs: orNull(TimeMs),
  domainLookupEndMs: orNull(TimeMs),
  connectStartMs: orNull(TimeMs),
  secureConnectionStartMs: orNull(TimeMs),
  connectEndMs: orNull(TimeMs),
  requestStartMs: orNull(TimeMs),
  firstByteMs: orNull(TimeMs),
  lastByteMs: orNull(TimeMs),
  /** Body bytes that reached the player. */
  receivedBytes: orNull(SizeBytes),
  transferSizeBytes: orNull(SizeBytes),
  encodedBodyBytes: orNull(SizeBytes),
  decodedBodyBytes: orNull(SizeBytes),
  serverTiming: orNull(ServerTiming),
  /** CTA-5006 headers, verbatim. */
  cmsdStatic: orNull(Text),
  cmsdDynamic: orNull(Text),
});
