import * as Type from '@sinclair/typebox';
import {
  Count,
  DurationMs,
  event,
  Id,
  MediaTimeMs,
  MediaType,
  orNull,
  RateKbps,
  RungIndex,
  Text,
  Url,
} from './parts.ts';

/** A manifest was read (again, for live). */
export const ManifestEvent = event('manifest', {
  url: Url,
  type: Type.Union([Type.Literal('static'), Type.Literal('dynamic')]),
  lowLatency: Type.Boolean(),
  /** null for live without an end. */
  durationMs: orNull(DurationMs),
  minBufferMs: orNull(DurationMs),
  periods: Count,
});

const LadderRung = Type.Object(
  {
    representationId: Text,
    bitrateKbps: RateKbps,
    width: orNull(Type.Integer({ minimum: 0, maximum: 1e5 })),
    height: orNull(Type.Integer({ minimum: 0, maximum: 1e5 })),
    codecs: Text,
  },
  { additionalProperties: false },
);

/** The rungs a rule can choose from, ascending; written when a period or track starts and when the set changes. */
export const LadderEvent = event('ladder', {
  mediaType: MediaType,
  periodId: Text,
  language: orNull(Text),
  segmentMs: orNull(DurationMs),
  rungs: Type.Array(LadderRung, { minItems: 1, maxItems: 1000 }),
});

/**
 * States of playback. Join time runs from the first `play-requested` to the first `playing`
 * (the papers' "video latency", 2017). `sample` is the periodic reading in between.
 */
export const PlaybackEvent = event('playback', {
  state: Type.Union([
    Type.Literal('play-requested'),
    Type.Literal('playing'),
    Type.Literal('waiting'),
    Type.Literal('paused'),
    Type.Literal('ended'),
    Type.Literal('rate'),
    Type.Literal('sample'),
    Type.Literal('stopped'),
  ]),
  playheadMs: MediaTimeMs,
  playbackRate: Type.Number({ minimum: 0, maximum: 100 }),
  liveLatencyMs: orNull(DurationMs),
  /**
   * How far the clock that the live edge is counted by may be off, either way; null: the clock is the device's, and nothing
   * is known. Absent without a live stream, before the first answer of a clock, and in older logs of streams that name a
   * clock server (UTCTiming).
   */
  liveLatencyErrorMs: Type.Optional(orNull(DurationMs)),
});

/** Buffer level ahead of the playhead. */
export const BufferEvent = event('buffer', { mediaType: MediaType, levelMs: DurationMs });

/** A change of rung: `requested` when the player decided, `rendered` when the playhead entered the new rung. */
export const SwitchEvent = event('switch', {
  phase: Type.Union([Type.Literal('requested'), Type.Literal('rendered')]),
  mediaType: MediaType,
  fromRung: orNull(RungIndex),
  toRung: RungIndex,
  bitrateKbps: RateKbps,
  reason: Text,
});

/** Waiting → playing after the first playing, without seeks. Open (`durationMs` null) only at the end of a log. */
export const StallEvent = event('stall', { playheadMs: MediaTimeMs, durationMs: orNull(DurationMs) });

/** Seek requested → playing at the new position. */
export const SeekEvent = event('seek', {
  fromMs: MediaTimeMs,
  toMs: MediaTimeMs,
  waitMs: orNull(DurationMs),
});

/** Frames of the video element so far (HTMLVideoElement.getVideoPlaybackQuality). */
export const FramesEvent = event('frames', { decoded: Count, dropped: Count });

export const VisibilityEvent = event('visibility', { hidden: Type.Boolean() });

/** An active measurement of a path, e.g. the RTT probes of the 2024 racing paper. */
export const ProbeEvent = event('probe', {
  url: Url,
  protocol: orNull(Text),
  rttMs: orNull(DurationMs),
});

/** Anything that went wrong, in words for people. */
export const ErrorEvent = event('error', {
  source: Type.Union([
    Type.Literal('player'),
    Type.Literal('rule'),
    Type.Literal('media'),
    Type.Literal('telemetry'),
  ]),
  code: Text,
  message: Text,
  requestId: orNull(Id),
  fatal: Type.Boolean(),
});
