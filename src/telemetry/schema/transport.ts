import * as Type from '@sinclair/typebox';
import { Count, DurationMs, event, Id, orNull, RateKbps, SizeBytes, Text, TimeMs } from './parts.ts';

const NetError = Type.Integer({ minimum: -999, maximum: -1 });

/** One race of a request, or (`outcome: 'broken'`) a period in which Alt-Svc was marked broken. What is optional only a NetLog tells. */
const Race = Type.Object(
  {
    /** DevTools' `alternateProtocolUsage`, or an outcome of the NetLog (docs/browsers.md). */
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
    /** Of a broken period, in the browser's words; of a race that was run, one of `netlog/foldCauses.ts`. */
    cause: Type.Optional(orNull(Text)),
  },
  { additionalProperties: false },
);

/** A connection of the browser, from the NetLog or from packets. `packets…` and `zeroRtt` are QUIC's, `resumed` is TLS over TCP. */
const Connection = Type.Object(
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

/** The state of a connection at the server; null: its transport does not measure that, or has not yet. */
const PathSample = Type.Object(
  {
    atMs: TimeMs,
    /** Smoothed. */
    rttMs: orNull(DurationMs),
    minRttMs: orNull(DurationMs),
    rttVarMs: orNull(DurationMs),
    cwndBytes: orNull(SizeBytes),
    inFlightBytes: orNull(SizeBytes),
    /** Declared lost so far: QUIC alone. */
    lostPackets: orNull(Count),
    /** Sent again so far: TCP alone. */
    retransmittedPackets: orNull(Count),
    sentPackets: orNull(Count),
    deliveryRateKbps: orNull(RateKbps),
    /** The rate was held down by what there was to send. */
    appLimited: orNull(Type.Boolean()),
  },
  { additionalProperties: false },
);

/** A connection as the lab's own origin saw it, ten times a second. */
const OriginConnection = Type.Object(
  {
    /** `http/1.1`, `h2`, `h3`. */
    protocol: Text,
    controller: orNull(Text),
    /** Null: before the session, or after its end. */
    openedMs: orNull(TimeMs),
    closedMs: orNull(TimeMs),
    /** The requests of this log whose answers came over it. */
    requestIds: Type.Array(Id, { maxItems: 1_000_000 }),
    /** Ascending in time. A value holds until the next sample: those in which nothing had changed are left out. */
    samples: Type.Array(PathSample, { maxItems: 5_000_000 }),
  },
  { additionalProperties: false },
);

/**
 * The browser's or origin's truth about a request's transport; a restarted request races more than once. With
 * `requestId` null it is about a connection, or about an Alt-Svc that was marked broken.
 */
export const TransportEvent = event('transport', {
  requestId: orNull(Id),
  source: Type.Union([
    Type.Literal('devtools'),
    Type.Literal('netlog'),
    Type.Literal('packets'),
    Type.Literal('origin'),
  ]),
  races: Type.Array(Race, { maxItems: 32 }),
  /** In Chromium the same number in DevTools and NetLog. */
  connectionId: orNull(Text),
  connection: Type.Optional(Connection),
  /** With `source` origin, of whose own counting `connectionId` then is. */
  origin: Type.Optional(OriginConnection),
});
