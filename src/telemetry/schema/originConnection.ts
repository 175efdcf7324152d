import * as Type from '@sinclair/typebox';
import { Count, DurationMs, Id, orNull, RateKbps, SizeBytes, Text, TimeMs } from './parts.ts';

/** The state of a connection at the server; null: its transport does not measure that, or has not yet. */
export const PathSample = Type.Object(
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
export const OriginConnection = Type.Object(
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
