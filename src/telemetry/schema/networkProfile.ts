import * as Type from '@sinclair/typebox';
import { orNull } from './parts.ts';

export const PROFILE_SCHEMA = 'pitwall-profile/1';

/** Longest duration, ms: a week; no session is longer. */
const LONGEST_MS = 7 * 24 * 3600 * 1000;
const Ms = Type.Number({ minimum: 0, maximum: LONGEST_MS });
const Kbps = Type.Number({ minimum: 0, maximum: 1e7 });
const Share = Type.Number({ minimum: 0, maximum: 0.99 });
const Probability = Type.Number({ minimum: 1e-9, maximum: 1 });

/** Bursts of loss: `p` after a packet that was not lost, `r` is the probability that the next one is not. */
const Gilbert = Type.Object({ p: Probability, r: Probability }, { additionalProperties: false });

const Step = Type.Object(
  {
    /** Duration of the step. Needed without a trace; with one, at most so much of it. */
    durationMs: Type.Optional(Type.Number({ minimum: 1, maximum: LONGEST_MS })),
    /** Rate from server to client; 0 is an outage, null is unlimited. */
    downKbps: Type.Optional(orNull(Kbps)),
    /** Rates of a recorded trace instead of `downKbps`; its path is relative to the profile's file. */
    trace: Type.Optional(Type.String({ minLength: 1, maxLength: 400 })),
    /** Rate from client to server. Absent: unlimited. */
    upKbps: Type.Optional(orNull(Kbps)),
    /** Round-trip time without queueing. A step has this or `oneWayDelayMs`; a trace with round-trip times needs neither. */
    rttMs: Type.Optional(Type.Number({ minimum: 0, maximum: 9999 })),
    /** Delay in each direction. */
    oneWayDelayMs: Type.Optional(Type.Number({ minimum: 0, maximum: 4999 })),
    /** Share of packets that are lost at random. Absent: 0. */
    lossDown: Type.Optional(Share),
    lossUp: Type.Optional(Share),
    /** Losses in bursts, instead of `lossDown` and `lossUp`. */
    gilbertDown: Type.Optional(Gilbert),
    gilbertUp: Type.Optional(Gilbert),
    /** The client gets another address at the start of the step. */
    newAddress: Type.Optional(Type.Boolean()),
    /** With `newAddress`: so long the client has no address before that. */
    gapMs: Type.Optional(Type.Number({ minimum: 0, maximum: 600_000 })),
    /** A NAT gives the flows of UDP other ports at the start of the step. */
    newUdpPorts: Type.Optional(Type.Boolean()),
    /** The largest IP packet, in both directions. Absent: 1500. */
    mtuBytes: Type.Optional(Type.Integer({ minimum: 576, maximum: 1500 })),
    /** With `mtuBytes`: larger packets are lost without ICMP. */
    mtuBlackHole: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
);

const Limit = Type.Object(
  {
    /** Start of the limit, from the start of the profile; not repeated. */
    fromMs: Ms,
    /** End of the limit. Absent: the end of the session. */
    untilMs: Type.Optional(orNull(Ms)),
    /** Limit from server to client; 0 blocks both directions. */
    kbps: Kbps,
    /** Limit from client to server. Absent: no limit. */
    upKbps: Type.Optional(Type.Number({ minimum: 1, maximum: 1e7 })),
    /** How long a packet waits at most before the limit. Absent: what exceeds the limit is dropped. */
    queueMs: Type.Optional(Type.Number({ minimum: 1, maximum: 60_000 })),
  },
  { additionalProperties: false },
);

const Queue = Type.Object(
  {
    /** Discipline of the queue. Absent: droptail. */
    kind: Type.Optional(Type.Union([Type.Literal('droptail'), Type.Literal('codel')])),
    /** The length: `packets` or `bdp`, multiples of the largest product of rate and round-trip time. */
    packets: Type.Optional(Type.Integer({ minimum: 1, maximum: 100_000 })),
    bdp: Type.Optional(Type.Number({ minimum: 0.01, maximum: 1000 })),
  },
  { additionalProperties: false },
);

const fields = {
  schema: Type.Literal(PROFILE_SCHEMA),
  label: Type.String({ minLength: 1, maxLength: 200 }),
  /** Where the numbers come from. */
  source: Type.Optional(Type.String({ maxLength: 1000 })),
  /** Whether the steps begin again after the last one; if not, the last one stays. Absent: true. */
  repeat: Type.Optional(Type.Boolean()),
  /** Queue before the bottleneck. Absent: 100 packets, droptail. */
  queue: Type.Optional(Queue),
  steps: Type.Array(Step, { minItems: 1, maxItems: 100_000 }),
  /** Limits of UDP alone, in order of time. */
  udp: Type.Optional(Type.Array(Limit, { maxItems: 1000 })),
  /** Limits of TCP alone, in order of time. */
  tcp: Type.Optional(Type.Array(Limit, { maxItems: 1000 })),
};

/** A network that a user describes in a file. `docs/networks.md` documents each field. */
export const ProfileFile = Type.Object(fields, {
  additionalProperties: false,
  $id: PROFILE_SCHEMA,
  title: 'Pitwall network profile',
});

/** A network profile in a session log, with the fields of `ProfileFile`. */
export const LoggedProfile = Type.Object(fields, { additionalProperties: false });

export type ProfileFile = Type.Static<typeof ProfileFile>;
export type StepOfFile = Type.Static<typeof Step>;
export type LimitOfFile = Type.Static<typeof Limit>;
