import * as Type from '@sinclair/typebox';
import { LinkRun, MachineUse, OriginRun, Visit } from './laboratory.ts';
import { dictionary, Id, Missing, orNull, Text, Url } from './parts.ts';

export const Transport = Type.Union([
  Type.Literal('h1'),
  Type.Literal('h2'),
  Type.Literal('h3-racing'),
  Type.Literal('h3-only'),
]);

/** Everything outside the session that may explain it. A null stands in `missing` with its reason. */
export const Environment = Type.Object(
  {
    pitwallVersion: Text,
    dashjsVersion: orNull(Text),
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
    tcpController: orNull(Text),
    quicController: orNull(Text),
    /** Of the lab's own origin; absent where no source reported how it sends. */
    origin: Type.Optional(OriginRun),
    /** What is known in words; the lab's own link says more in `linkRun`. */
    link: orNull(Text),
    /** Of the lab's emulated link; absent without one. */
    linkRun: Type.Optional(LinkRun),
    /** Of a browser that came back; absent: it had never been at this origin, or no source reported it. */
    visit: Type.Optional(Visit),
    /** Of the lab's machine; absent where nobody watched it. */
    machine: Type.Optional(MachineUse),
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
    seed: Type.Integer({ minimum: 0 }),
  },
  { additionalProperties: false },
);

export const SessionId = Id;
