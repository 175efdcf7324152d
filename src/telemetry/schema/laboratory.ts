import * as Type from '@sinclair/typebox';
import { Count, DurationMs, orNull, RateKbps, SizeBytes, Text, UnixMs } from './parts.ts';

/** What one transport of the origin sends with; null where nobody set or knows it. */
const Sender = Type.Object(
  {
    /** `reno`, `cubic`, `bbr`; `cubic-x6`: Cubic that takes the share of six connections. */
    controller: Text,
    initialWindowPackets: orNull(Count),
    paced: orNull(Type.Boolean()),
  },
  { additionalProperties: false },
);

/** The lab's origin of a session, and how it sends. */
export const OriginRun = Type.Object(
  {
    program: Type.Union([Type.Literal('caddy'), Type.Literal('instrumented')]),
    tcp: Sender,
    quic: Sender,
    /** Whether it takes requests in the first packet of a QUIC connection. */
    zeroRtt: orNull(Type.Boolean()),
  },
  { additionalProperties: false },
);

/** The emulated link of a session, as it ran. Its times are of the machine's wall clock. */
export const LinkRun = Type.Object(
  {
    /** Id of the profile, or the name of the trace. */
    network: Text,
    /** Of the random losses. */
    seed: Type.Integer({ minimum: 0, maximum: 2 ** 32 - 1 }),
    /** Of the profile, when play is due. */
    phaseMs: DurationMs,
    leadInMs: DurationMs,
    /** First packet: the lead-in begins. */
    startedAtUnixMs: UnixMs,
    /** The lead-in ends; the session's first `play-requested` says when play was asked for. */
    playDueAtUnixMs: UnixMs,
    /** What was done to UDP, in order; 0 is a block, null lets it pass. */
    udpChanges: Type.Array(
      Type.Object({ atUnixMs: UnixMs, kbps: orNull(RateKbps) }, { additionalProperties: false }),
      { maxItems: 100_000 },
    ),
    /** The client's addresses after its first, in order. */
    addressChanges: Type.Array(
      Type.Object({ atUnixMs: UnixMs, address: Text }, { additionalProperties: false }),
      { maxItems: 100_000 },
    ),
    /** Packets that the emulator threw away because the machine was busy. */
    busyDrops: Count,
    /** What came to the client over the link, whole packets with their Ethernet headers; absent where nobody counted. */
    receivedWireBytes: Type.Optional(SizeBytes),
  },
  { additionalProperties: false },
);

/** What a warm browser did before the session: it asked the origin, over the same link, and closed all connections. */
export const Visit = Type.Object(
  {
    startedAtUnixMs: UnixMs,
    endedAtUnixMs: UnixMs,
    /** What it was answered with, each change; with `h3` among them the session has no discovery. */
    protocols: Type.Array(Text, { maxItems: 20 }),
  },
  { additionalProperties: false },
);

/** How busy the machine was while the session played, all its programs together. */
export const MachineUse = Type.Object(
  {
    cores: Type.Integer({ minimum: 1, maximum: 65_536 }),
    /** Share of all cores' time that was not idle, in % of all cores. */
    meanBusyPercent: Type.Number({ minimum: 0, maximum: 100 }),
    /** The same in the busiest window of `windowMs`. */
    worstBusyPercent: Type.Number({ minimum: 0, maximum: 100 }),
    windowMs: DurationMs,
    /** How much later than asked the runner's own timer came at worst. */
    latestTimerMs: DurationMs,
    /** A sentence for each way in which the machine, not the network, was the bottleneck; empty when it was not. */
    flags: Type.Array(Text, { maxItems: 20 }),
  },
  { additionalProperties: false },
);
