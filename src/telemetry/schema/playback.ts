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

const Pixels = Type.Integer({ minimum: 0, maximum: 1e5 });

const LadderRung = Type.Object(
  {
    representationId: Text,
    bitrateKbps: RateKbps,
    width: orNull(Pixels),
    height: orNull(Pixels),
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
 * States of playback. Join time runs from the first `play-requested` to the `first-frame`, in logs without one to the first
 * `playing` (the papers' "video latency", 2017). `first-frame`: the browser presented a frame for the first time after play
 * was requested. `playing` and `waiting` are what the element says, also where the picture stands while the sound plays on.
 * `sample` is the periodic reading in between.
 */
export const PlaybackEvent = event('playback', {
  state: Type.Union([
    Type.Literal('play-requested'),
    Type.Literal('first-frame'),
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

/** Buffer level ahead of the playhead; without a media type what all tracks have (HTMLMediaElement.buffered). */
export const BufferEvent = event('buffer', { mediaType: orNull(MediaType), levelMs: DurationMs });

/** A change of rung: `requested` when the player decided, `rendered` when the new rung came on the screen. */
export const SwitchEvent = event('switch', {
  phase: Type.Union([Type.Literal('requested'), Type.Literal('rendered')]),
  mediaType: MediaType,
  fromRung: orNull(RungIndex),
  toRung: RungIndex,
  bitrateKbps: RateKbps,
  reason: Text,
});

/**
 * The picture, or the sound, stood for want of media after the first `playing`, without the waits of seeks. Open (`durationMs`
 * null) only at the end of a log.
 */
export const StallEvent = event('stall', {
  playheadMs: MediaTimeMs,
  durationMs: orNull(DurationMs),
  /**
   * What stood all the time: `picture` while the sound and the playhead went on, `sound` while the picture did, or `both`. Absent
   * in logs of versions that went by the element's `waiting` alone, and in those of the simulator, where both stand.
   */
  stands: Type.Optional(Type.Union([Type.Literal('picture'), Type.Literal('sound'), Type.Literal('both')])),
});

/** The viewer's seek: requested → playing at the new position. */
export const SeekEvent = event('seek', {
  fromMs: MediaTimeMs,
  toMs: MediaTimeMs,
  waitMs: orNull(DurationMs),
});

/** The playhead was moved by nobody but the player itself, or by Pitwall's recovery; what lies between was not played. */
export const JumpEvent = event('jump', {
  fromMs: MediaTimeMs,
  toMs: MediaTimeMs,
  by: Type.Union([Type.Literal('player'), Type.Literal('recovery')]),
});

/** Frames of the video element so far (HTMLVideoElement.getVideoPlaybackQuality). */
export const FramesEvent = event('frames', { decoded: Count, dropped: Count });

/** The picture got another size: `videoWidth` and `videoHeight` of the element, in pixels of the video. */
export const ResizeEvent = event('resize', { widthPx: Count, heightPx: Count });

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
