import * as Type from '@sinclair/typebox';
import { OriginConnection } from './originConnection.ts';
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
  TimeMs,
  Url,
} from './parts.ts';

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
   * By how much more the viewer may be behind the live edge, where the clock has whole seconds; null: the clock is the
   * device's, and nothing is known. Absent where the stream names a finer clock (UTCTiming), and without a live stream.
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

const NetError = Type.Integer({ minimum: -999, maximum: -1 });

/** One race of a request, or (`outcome: 'broken'`) a period in which Alt-Svc was marked broken. What is optional only a NetLog tells. */
export const Race = Type.Object(
  {
    /** DevTools' `alternateProtocolUsage`, or an outcome of the NetLog (docs/race-truth.md). */
    outcome: Text,
    /** The wait that TCP was given first. */
    mainDelayMs: orNull(DurationMs),
    startMs: orNull(TimeMs),
    /** Decided. */
    endMs: orNull(TimeMs),
    /** TCP was let go after its wait. */
    mainResumedMs: Type.Optional(orNull(TimeMs)),
    /** The loser went on without the request until here. */
    orphanEndMs: Type.Optional(orNull(TimeMs)),
    /** Chromium's net error that ended the stream the race had won: a restart or the request's failure. */
    netError: Type.Optional(orNull(NetError)),
    connectionId: Type.Optional(orNull(Text)),
    /** Why, in the browser's words. */
    cause: Type.Optional(orNull(Text)),
  },
  { additionalProperties: false },
);

/** A connection of the browser, from the NetLog. `packets…` and `zeroRtt` are QUIC's, `resumed` is TLS over TCP. */
export const Connection = Type.Object(
  {
    transport: Type.Union([Type.Literal('quic'), Type.Literal('tcp')]),
    /** Null when it began before the session. */
    startMs: orNull(TimeMs),
    /** Start → handshake confirmed (TCP's and TLS' together); null when it never was. */
    handshakeMs: orNull(DurationMs),
    /** Chromium's word for it; `sent` when data left early and no answer ever came. */
    zeroRtt: orNull(Text),
    resumed: orNull(Type.Boolean()),
    packetsSent: orNull(Count),
    packetsReceived: orNull(Count),
    packetsLost: orNull(Count),
    endMs: orNull(TimeMs),
    /** QUIC's error and details at its close. */
    close: orNull(Text),
    closedByPeer: orNull(Type.Boolean()),
  },
  { additionalProperties: false },
);

/**
 * The browser's or origin's truth about a request's transport; a restarted request races more than once. With
 * `requestId` null it is about a connection, or about an Alt-Svc that was marked broken.
 */
export const TransportEvent = event('transport', {
  requestId: orNull(Id),
  source: Type.Union([Type.Literal('devtools'), Type.Literal('netlog'), Type.Literal('origin')]),
  races: Type.Array(Race, { maxItems: 32 }),
  /** In Chromium the same number in DevTools and NetLog. */
  connectionId: orNull(Text),
  connection: Type.Optional(Connection),
  /** With `source` origin, of whose own counting `connectionId` then is. */
  origin: Type.Optional(OriginConnection),
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
