import * as Type from '@sinclair/typebox';
import {
  dictionary,
  DurationMs,
  event,
  Id,
  MediaTimeMs,
  MediaType,
  Numbers,
  orNull,
  RateKbps,
  RungIndex,
  SegmentNumber,
  SizeBytes,
  Text,
  TimeMs,
} from './parts.ts';

const PlaybackRate = Type.Number({ minimum: 0, maximum: 100 });

/** What a rule receives when it decides: the `Moment` of `src/abr/rule.ts`. */
const MomentRecord = Type.Object(
  {
    nowMs: TimeMs,
    playheadMs: MediaTimeMs,
    bufferMs: DurationMs,
    bufferTargetMs: DurationMs,
    segment: orNull(SegmentNumber),
    segmentsLeft: orNull(SegmentNumber),
    lastRung: orNull(RungIndex),
    liveLatencyMs: orNull(DurationMs),
    playbackRate: PlaybackRate,
    /** Buffer of the audio beside the video; absent for audio, without any, once all of it is loaded, and in older logs. */
    audioBufferMs: Type.Optional(DurationMs),
    /** Only where a rule of ours chooses the playback rate: of a live stream, with such a rule. */
    live: Type.Optional(
      Type.Object(
        { targetMs: orNull(DurationMs), minRate: PlaybackRate, maxRate: PlaybackRate },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
);

/** One active rule's opinion. A null rung is "no wish" or "not asked"; `because` says which. */
const Vote = Type.Object(
  { rule: Text, rung: orNull(RungIndex), because: Text, asked: Type.Boolean() },
  { additionalProperties: false },
);

/** One choice of a rung for the next media segment. `requestId` names the request it led to, once known. */
export const DecisionEvent = event('decision', {
  mediaType: MediaType,
  requestId: orNull(Id),
  segment: orNull(SegmentNumber),
  /** The rule that won, by id for our rules, by dash.js class name for its own. */
  rule: Text,
  fromRung: orNull(RungIndex),
  rung: orNull(RungIndex),
  bitrateKbps: orNull(RateKbps),
  holdUntilBufferMs: orNull(DurationMs),
  /** The playback rate that a rule of ours chose; absent where none chose one. */
  playbackRate: Type.Optional(PlaybackRate),
  because: Text,
  values: Numbers,
  votes: Type.Array(Vote, { maxItems: 32 }),
  moment: MomentRecord,
  /**
   * The last input of a rule of ours before it was asked: a replay asks there. The decision itself is written when its
   * request is sent, and by then the rule may have received more inputs. Absent for rules of dash.js.
   */
  inputId: Type.Optional(Id),
  /** What the player itself believes the network carries, at this moment. */
  estimateKbps: orNull(RateKbps),
  /** Time the rules took. */
  tookMs: DurationMs,
});

const download = Type.Object(
  {
    kind: Type.Literal('download'),
    mediaType: MediaType,
    segment: orNull(SegmentNumber),
    rung: RungIndex,
    bitrateKbps: RateKbps,
    sizeBytes: SizeBytes,
    startMs: TimeMs,
    firstByteMs: orNull(TimeMs),
    lastByteMs: TimeMs,
    protocol: orNull(Text),
    connectionReused: orNull(Type.Boolean()),
    aborted: Type.Boolean(),
  },
  { additionalProperties: false },
);
const rungRecord = Type.Object(
  {
    bitrateKbps: RateKbps,
    width: orNull(Type.Integer({ minimum: 0, maximum: 1e5 })),
    height: orNull(Type.Integer({ minimum: 0, maximum: 1e5 })),
  },
  { additionalProperties: false },
);
const timed = <P extends Record<string, typeof TimeMs>>(kind: 'stall' | 'idle', fields: P) =>
  Type.Object({ kind: Type.Literal(kind), atMs: TimeMs, ...fields }, { additionalProperties: false });

const SizeSource = Type.Union([
  Type.Literal('sidx'),
  Type.Literal('playlist'),
  Type.Literal('side-file'),
  Type.Literal('head'),
  Type.Literal('table'),
]);

/** The `RuleEvent`s of `src/abr/rule.ts`. */
const RuleEventRecord = Type.Union([
  download,
  timed('stall', { durationMs: DurationMs }),
  timed('idle', { durationMs: DurationMs }),
  Type.Object(
    { kind: Type.Literal('seek'), atMs: TimeMs, toMs: MediaTimeMs },
    { additionalProperties: false },
  ),
  Type.Object(
    {
      kind: Type.Literal('ladder'),
      atMs: TimeMs,
      ladder: Type.Array(rungRecord, { minItems: 1, maxItems: 1000 }),
      segmentMs: DurationMs,
    },
    { additionalProperties: false },
  ),
  Type.Object(
    {
      kind: Type.Literal('sizes'),
      atMs: TimeMs,
      from: SizeSource,
      rung: RungIndex,
      firstSegment: SegmentNumber,
      sizesBytes: Type.Array(orNull(SizeBytes), { maxItems: 100_000 }),
    },
    { additionalProperties: false },
  ),
]);

/** An input of a rule, at the moment at which the rule received it: replay recomputes nothing. */
export const RuleInputEvent = event('rule-input', { mediaType: MediaType, input: RuleEventRecord });

/** The rule in charge, at the start and at each change during play. */
export const RuleInUseEvent = event('rule', {
  rule: Text,
  parameters: dictionary(Type.Union([Type.Number(), Type.String({ maxLength: 400 }), Type.Boolean()])),
  /** The seed of the random draws of a rule of ours. */
  seed: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
});
