import type { Static } from '@sinclair/typebox';
import * as Type from '@sinclair/typebox';
import { Transport } from '../telemetry/schema/environment.ts';

export const CAMPAIGN_SCHEMA = 'pitwall-campaign/1';

/** Ids, addresses and paths: they are looked up when the file is read. */
const Name = Type.String({ minLength: 1, maxLength: 400 });
const AaLabel = Type.String({ maxLength: 20, pattern: '^[a-z0-9]+(-[a-z0-9]+)*$' });

/**
 * A designed experiment as its author writes it: every rule × transport (× controller, × twin; an arm) meets every profile ×
 * content × repeat × seed (a pair). What is to be judged is declared before anything runs. `docs/campaigns.md` tells each field for people.
 */
export const CampaignFile = Type.Object(
  {
    schema: Type.Literal(CAMPAIGN_SCHEMA),
    /** Goes into every log's `design.campaign`. */
    name: Type.String({ minLength: 1, maxLength: 60, pattern: '^[a-z0-9]+(-[a-z0-9]+)*$' }),
    /** For people. */
    about: Type.Optional(Type.String({ maxLength: 4000 })),
    rules: Type.Array(Name, { minItems: 1, maxItems: 100 }),
    transports: Type.Array(Transport, { minItems: 1, maxItems: 4 }),
    /** Who serves our own contents; absent: Caddy. What follows can be asked of the speaking origin alone. */
    origin: Type.Optional(Type.Union([Type.Literal('caddy'), Type.Literal('speaking')])),
    /** Congestion controllers, as `sendersOf` reads them: a third part of each arm. Absent: cubic for both transports. */
    controllers: Type.Optional(Type.Array(Name, { minItems: 1, maxItems: 20 })),
    /** Names that change nothing: each arm is played once under each of them, to see what chance alone does (A/A). */
    twins: Type.Optional(Type.Array(AaLabel, { minItems: 2, maxItems: 10 })),
    /** First window of TCP and of QUIC. Absent: 10. */
    initialWindowPackets: Type.Optional(Type.Integer({ minimum: 2, maximum: 1000 })),
    /** Whether TCP is paced as QUIC always is. Absent: yes. */
    tcpPacing: Type.Optional(Type.Boolean()),
    /** Whether a browser that comes back may send requests in its first QUIC packet. Absent: no. */
    zeroRtt: Type.Optional(Type.Boolean()),
    /** Ids of profiles, or `trace:PATH` relative to the campaign file. Empty: no emulated link. */
    profiles: Type.Array(Name, { maxItems: 1000 }),
    /** `demo`, `padded:TABLE` with the table's path relative to the campaign file, `live…`, or addresses of MPDs. */
    contents: Type.Array(Name, { minItems: 1, maxItems: 100 }),
    repeats: Type.Integer({ minimum: 1, maximum: 1000 }),
    seeds: Type.Array(Type.Integer({ minimum: 0, maximum: 2 ** 32 - 1 }), { minItems: 1, maxItems: 1000 }),
    /** From the first frame on. */
    seconds: Type.Integer({ minimum: 1, maximum: 86_400 }),
    /** The network stands still for so long before play is requested; without a profile there is none. */
    leadInSeconds: Type.Integer({ minimum: 0, maximum: 600 }),
    /** Whether each browser has visited the origin before its session, in the lead-in. Absent: cold. */
    browserProfile: Type.Optional(Type.Union([Type.Literal('cold'), Type.Literal('warm')])),
    /** Where in its profile a pair begins: at its start, or at a moment drawn by the pair's seed. */
    phase: Type.Union([Type.Literal('start'), Type.Literal('drawn')]),
    preset: Name,
    /** The one metric that gets verdicts. */
    primary: Name,
    /** The smallest difference that matters, in the primary's unit. */
    margin: Type.Number({ minimum: 0, maximum: 1e9 }),
    alpha: Type.Number({ minimum: 1e-9, maximum: 0.5 }),
    /** What is compared, with everything else of an arm the same. */
    compare: Type.Union([
      Type.Literal('transports'),
      Type.Literal('rules'),
      Type.Literal('controllers'),
      Type.Literal('twins'),
    ]),
    /** Compare the others with this one only; absent: each with each. */
    control: Type.Optional(Name),
    /** One verdict over all networks together, or one for each. */
    per: Type.Union([Type.Literal('campaign'), Type.Literal('network')]),
  },
  { additionalProperties: false, $id: CAMPAIGN_SCHEMA, title: 'Pitwall campaign' },
);

export type CampaignFile = Static<typeof CampaignFile>;
