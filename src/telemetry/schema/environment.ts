import * as Type from '@sinclair/typebox';
import {
  Count,
  dictionary,
  DurationMs,
  Id,
  Missing,
  orNull,
  RateKbps,
  SizeBytes,
  Text,
  UnixMs,
  Url,
} from './parts.ts';
import { LoggedProfile } from './networkProfile.ts';
import { SteeringRun } from './steering.ts';

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
const OriginRun = Type.Object(
  {
    program: Type.Union([Type.Literal('caddy'), Type.Literal('instrumented')]),
    tcp: Sender,
    quic: Sender,
    /** How large the TLS records of h1 and h2 are: `dynamic`, `16k`. Absent in logs of versions that did not record it. */
    tlsRecords: Type.Optional(Text),
    /** Whether the origin takes requests in the first packet of a QUIC connection. */
    zeroRtt: orNull(Type.Boolean()),
  },
  { additionalProperties: false },
);

const LimitChange = Type.Object(
  {
    atUnixMs: UnixMs,
    kbps: orNull(RateKbps),
    /** Limit towards the server; absent: no limit. */
    upKbps: Type.Optional(RateKbps),
    /** How long a packet waits at most; absent: what exceeds the limit is dropped. */
    queueMs: Type.Optional(DurationMs),
  },
  { additionalProperties: false },
);

/** The emulated link of a session, as it ran. Its times are of the machine's wall clock. */
const LinkRun = Type.Object(
  {
    /** Id of the profile, or the name of the trace. */
    network: Text,
    /** Seed of the random losses. */
    seed: Type.Integer({ minimum: 0, maximum: 2 ** 32 - 1 }),
    /** Time of the profile at which play is due. */
    phaseMs: DurationMs,
    leadInMs: DurationMs,
    /** First packet: the lead-in begins. */
    startedAtUnixMs: UnixMs,
    /** The lead-in ends; the session's first `play-requested` says when play was asked for. */
    playDueAtUnixMs: UnixMs,
    /** What was done to UDP, in order; 0 is a block, null lets it pass. */
    udpChanges: Type.Array(LimitChange, { maxItems: 100_000 }),
    /** What was done to TCP, in order; 0 is a block, null lets it pass. Absent: nothing. */
    tcpChanges: Type.Optional(Type.Array(LimitChange, { maxItems: 100_000 })),
    /** The client's addresses after its first, in order. */
    addressChanges: Type.Array(
      Type.Object(
        {
          atUnixMs: UnixMs,
          address: Text,
          /** When the address before was lost; absent: it was replaced at once. */
          lostAtUnixMs: Type.Optional(UnixMs),
        },
        { additionalProperties: false },
      ),
      { maxItems: 100_000 },
    ),
    /** When a NAT gave the flows of UDP other ports, and how many there were, in order. Absent: it did not. */
    udpPortChanges: Type.Optional(
      Type.Array(Type.Object({ atUnixMs: UnixMs, flows: Count }, { additionalProperties: false }), {
        maxItems: 100_000,
      }),
    ),
    /** The largest IP packet of the path, when it changed; at first 1500 bytes. Absent: it did not change. */
    mtuChanges: Type.Optional(
      Type.Array(
        Type.Object(
          {
            atUnixMs: UnixMs,
            bytes: SizeBytes,
            /** Larger packets were lost without ICMP; absent: a router said so. */
            blackHole: Type.Optional(Type.Boolean()),
          },
          { additionalProperties: false },
        ),
        { maxItems: 100_000 },
      ),
    ),
    /** Packets that the emulator threw away because the machine was busy. */
    busyDrops: Count,
    /** What came to the client over the link, whole packets with their Ethernet headers, flows beside the viewer included; absent where nobody counted. */
    receivedWireBytes: Type.Optional(SizeBytes),
  },
  { additionalProperties: false },
);

/** A download without end that shared the link of a session. Its times are of the machine's wall clock. */
const BesideFlow = Type.Object(
  {
    transport: Type.Union([Type.Literal('tcp'), Type.Literal('quic')]),
    /** How the flow's sender sends, as for an origin. */
    ...Sender.properties,
    /** How far ahead the client's flow control lets the sender be. */
    receiveWindowBytes: SizeBytes,
    /** When the flow's client was started. */
    startedAtUnixMs: UnixMs,
    /** When the flow's first connection was open. */
    openedAtUnixMs: orNull(UnixMs),
    /** When the flow, or the session, was ended. */
    endedAtUnixMs: UnixMs,
    /** Times at which the flow's connection was lost or could not be opened; a second later it tried again. */
    interruptions: Type.Array(Type.Object({ atUnixMs: UnixMs, why: Text }, { additionalProperties: false }), {
      maxItems: 100_000,
    }),
    /** Bytes of bodies that came in each second since the start of the link; the last second may be a part of one. */
    bytesBySecond: Type.Array(SizeBytes, { maxItems: 1_000_000 }),
    missing: Missing,
  },
  { additionalProperties: false },
);

/** Another viewer of the same stream, who shared the link of a session. */
const BesidePlayer = Type.Object(
  {
    /** Name of its own session log, in the folder of this one. */
    log: Text,
    rule: Text,
    transport: Text,
    /** Bitrate of the rendered video level when each second of the flows begins; null: nothing was rendered yet. */
    bitrateKbpsBySecond: Type.Array(orNull(RateKbps), { maxItems: 1_000_000 }),
    /** Bytes of media in each of these seconds. */
    bytesBySecond: Type.Array(SizeBytes, { maxItems: 1_000_000 }),
  },
  { additionalProperties: false },
);

/** What shared the link of a session with its viewer. */
const BesideRun = Type.Object(
  {
    /** Load as the campaign names it: `tcp-cubic:flows=4`. */
    load: Text,
    /** Start of the first of the seconds by which all flows are counted. */
    secondsFromUnixMs: UnixMs,
    flows: Type.Array(BesideFlow, { maxItems: 1000 }),
    /** Other viewers of the link; absent: none. */
    players: Type.Optional(Type.Array(BesidePlayer, { maxItems: 100 })),
    /** Rate of the link towards the client when each second begins; null: without a limit. Absent without other players. */
    linkKbpsBySecond: Type.Optional(Type.Array(orNull(RateKbps), { maxItems: 1_000_000 })),
  },
  { additionalProperties: false },
);

/** What a warm browser did before the session: it asked the origin, over the same link, and closed all connections. */
const Visit = Type.Object(
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
    /**
     * Tells machines apart and names none: eight hexadecimal digits of a hash. Absent in logs of versions without it, and where
     * the machine has no identity.
     */
    id: Type.Optional(Text),
    cores: Type.Integer({ minimum: 1, maximum: 65_536 }),
    /** Share of all cores' time that was not idle, in % of all cores. */
    meanBusyPercent: Type.Number({ minimum: 0, maximum: 100 }),
    /** Share of all cores' time that was not idle in the busiest window of `windowMs`, in % of all cores. */
    worstBusyPercent: Type.Number({ minimum: 0, maximum: 100 }),
    /**
     * Share of all cores' time that programs outside the run used, in % of all cores. Absent in logs of versions that did not
     * measure it.
     */
    otherBusyPercent: Type.Optional(Type.Number({ minimum: 0, maximum: 100 })),
    windowMs: DurationMs,
    /** How much later than asked the runner's own timer came at worst. */
    latestTimerMs: DurationMs,
    /** A sentence for each way in which the machine, not the network, was the bottleneck; empty when it was not. */
    flags: Type.Array(Text, { maxItems: 20 }),
  },
  { additionalProperties: false },
);

export const Transport = Type.Union([
  Type.Literal('h1'),
  Type.Literal('h2'),
  Type.Literal('h3-racing'),
  Type.Literal('h3-only'),
  Type.Literal('h3-no-fallback'),
  Type.Literal('h3-migrating'),
]);

/** Everything outside the session that may explain it. A null stands in `missing` with its reason. */
export const Environment = Type.Object(
  {
    pitwallVersion: Text,
    dashjsVersion: orNull(Text),
    /** Name and version of another player, in the words of whoever recorded it. */
    player: Type.Optional(Text),
    browser: orNull(Text),
    userAgent: orNull(Text),
    /** How the browser was started. Only whoever started the browser knows: null in a visitor's own. */
    transport: orNull(Transport),
    mpdUrl: orNull(Url),
    rule: orNull(Text),
    ruleParameters: orNull(
      dictionary(Type.Union([Type.Number(), Type.String({ maxLength: 400 }), Type.Boolean()])),
    ),
    preset: orNull(Text),
    /** The dash.js settings that differ from its defaults, as dotted paths. */
    settings: orNull(
      dictionary(Type.Union([Type.Number(), Type.String({ maxLength: 400 }), Type.Boolean(), Type.Null()])),
    ),
    /** Absent where nothing chose between pathways. */
    steering: Type.Optional(SteeringRun),
    /** The viewer's script that was followed (`src/shared/viewerScript.ts`); absent without one. */
    viewer: Type.Optional(Text),
    /** In how many ranges at once video segments were requested; absent: whole. */
    split: Type.Optional(Type.Integer({ minimum: 2, maximum: 100 })),
    /** Which segments the page asked for with a low priority (`src/shared/split.ts`); absent: it left that to the browser. */
    priority: Type.Optional(Text),
    /** What was downloaded instead of playing a stream (`src/shared/transfer.ts`); absent where a stream was played. */
    transfer: Type.Optional(Text),
    tcpController: orNull(Text),
    quicController: orNull(Text),
    /**
     * How the browser's QUIC was set, in the browser's own words: the numbers and truth values of `quicInfo` in its NetLog. Absent
     * where no NetLog was read whole.
     */
    quicSettings: Type.Optional(dictionary(Type.Union([Type.Number(), Type.Boolean()]))),
    /**
     * Whether the browser raced by HappyEyeballsV3, by its own word: the events of Chromium's NetLog, the preference of the running
     * Firefox in campaigns that name ways to race. Absent where neither says it.
     */
    happyEyeballs: Type.Optional(Type.Boolean()),
    /** The lab's own origin; absent where no source reported how it sends. */
    origin: Type.Optional(OriginRun),
    /** What is known in words; the lab's own link says more in `linkRun`. */
    link: orNull(Text),
    /** The network, whole, where it is none of the registry's: a file described it. Absent: `linkRun.network` names it. */
    profile: Type.Optional(LoggedProfile),
    /** The lab's emulated link; absent without one. */
    linkRun: Type.Optional(LinkRun),
    /** What shared the link; absent: nothing did, or no source reported it. */
    beside: Type.Optional(BesideRun),
    /** The visit of a browser that came back; absent: it had never been at this origin, or no source reported it. */
    visit: Type.Optional(Visit),
    /** Use of the lab's machine; absent where nobody watched it. */
    machine: Type.Optional(MachineUse),
    /**
     * What stalls and rendered levels go by: the frames that the browser presented and the buffer, or the buffer alone (`ranges`).
     * Absent where the log goes by the element's `waiting` and the player's word, and in the simulator's.
     */
    screen: Type.Optional(Type.Union([Type.Literal('frames'), Type.Literal('ranges')])),
    /** Id of the simulator's model that played; null for a real player. Logs from before there was one have no such field. */
    simulator: Type.Optional(orNull(Text)),
    /** Offline optimum of the linear QoE for this trace and video, where computed. */
    traceOptimum: orNull(Type.Number()),
    missing: Missing,
  },
  { additionalProperties: false },
);

/** The place of a session in a designed experiment. */
export const Design = Type.Object(
  {
    campaign: Text,
    cell: Text,
    pair: Text,
    arm: Text,
    order: Type.Integer({ minimum: 0 }),
    repeat: Type.Integer({ minimum: 0 }),
    /** Which of the campaign's blocks, from 1; absent where it has none. */
    block: Type.Optional(Type.Integer({ minimum: 1 })),
    seed: Type.Integer({ minimum: 0 }),
  },
  { additionalProperties: false },
);

export const SessionId = Id;
