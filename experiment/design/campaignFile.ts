import type { Static } from '@sinclair/typebox';
import * as Type from '@sinclair/typebox';
import { Name } from '../factors/factor.ts';
import { Compared, factorLists } from '../factors/registry.ts';

export const CAMPAIGN_SCHEMA = 'pitwall-campaign/2';

/** One value for all networks that are drawn, or the range from which each network draws its own. */
const Given = Type.Union([Type.Number(), Type.Array(Type.Number(), { minItems: 2, maxItems: 2 })]);

/**
 * Networks drawn from a family of profiles (`src/network/profileFamily.ts`), with the parameters of all families. Which of
 * them a family has, and their limits, are checked when the file is read.
 */
const DrawnProfile = Type.Object(
  {
    profile: Name,
    /** How many networks are drawn. */
    count: Type.Integer({ minimum: 1, maximum: 1000 }),
    /** Profiles, their files, or `trace:PATH` relative to the campaign file: the path of each network in turn, for families with paths. */
    paths: Type.Optional(Type.Array(Name, { minItems: 1, maxItems: 1000 })),
    cellularKbps: Type.Optional(Given),
    cellularRttMs: Type.Optional(Given),
    fromSeconds: Type.Optional(Given),
    gapSeconds: Type.Optional(Given),
    kbps: Type.Optional(Given),
    lastsSeconds: Type.Optional(Given),
    laterSeconds: Type.Optional(Given),
    limitKbps: Type.Optional(Given),
    lossPercent: Type.Optional(Given),
    mtuBytes: Type.Optional(Given),
    pathKbps: Type.Optional(Given),
    queueMs: Type.Optional(Given),
    rttMs: Type.Optional(Given),
    wifiKbps: Type.Optional(Given),
    wifiRttMs: Type.Optional(Given),
  },
  { additionalProperties: false },
);

/** Other conditions under which pairs are played again. */
const RobustTo = Type.Object(
  {
    /** `rtt`: round trips that are 15 % longer. */
    variants: Type.Array(Type.Literal('rtt'), { minItems: 1, maxItems: 10 }),
    /** How many pairs of each verdict are played again. Absent: 8, or all where there are fewer. */
    pairs: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
  },
  { additionalProperties: false },
);

/**
 * Defines an experiment. Its factors are what it varies (`experiment/factors`): each possible combination of a value of each is
 * an arm. Each combination of profile, content, repeat and seed is a pair, in which every arm plays once. The comparison is
 * declared before the campaign runs. `docs/campaign-file.md` documents each field.
 */
export const CampaignFile = Type.Object(
  {
    schema: Type.Literal(CAMPAIGN_SCHEMA),
    /** Name of the campaign, recorded in `design.campaign` of every log. */
    name: Type.String({ minLength: 1, maxLength: 60, pattern: '^[a-z0-9]+(-[a-z0-9]+)*$' }),
    /** Describes the campaign; not used by the program. */
    about: Type.Optional(Type.String({ maxLength: 4000 })),
    ...factorLists,
    /**
     * Server of our own contents; absent: Caddy. The instrumented origin (`instrumented`) is needed for `initialWindowPackets`,
     * `tcpPacing`, `tlsRecords`, `zeroRtt` and the factors that say so.
     */
    origin: Type.Optional(Type.Union([Type.Literal('caddy'), Type.Literal('instrumented')])),
    /**
     * Whether one arm of each pair plays a second session, the arms in turn: two sessions of the same arm show what differs
     * by chance (docs/campaigns.md). Absent: false.
     */
    aaSessions: Type.Optional(Type.Boolean()),
    /** Initial congestion window of TCP and of QUIC, in packets. Absent: 10. */
    initialWindowPackets: Type.Optional(Type.Integer({ minimum: 2, maximum: 1000 })),
    /** Whether TCP is paced; QUIC always is. Absent: true. */
    tcpPacing: Type.Optional(Type.Boolean()),
    /**
     * TLS records of h1 and h2: `dynamic` begins each response with a record of one packet, `16k` writes records as large
     * as possible, which delays the first byte on slow networks. Absent: dynamic.
     */
    tlsRecords: Type.Optional(Type.Union([Type.Literal('dynamic'), Type.Literal('16k')])),
    /** Whether a returning browser may send requests in its first QUIC packet. Absent: false. */
    zeroRtt: Type.Optional(Type.Boolean()),
    /**
     * Ids of profiles, files of profiles (`PATH.json` or `file:PATH`) or `trace:PATH` relative to the campaign file, or networks
     * that are drawn from a family of profiles.
     * Empty: loopback, no emulated link.
     */
    profiles: Type.Array(Type.Union([Name, DrawnProfile]), { maxItems: 1000 }),
    /** `demo`, `padded:TABLE` with the table's path relative to the campaign file, `live…`, or addresses of MPDs. */
    contents: Type.Array(Name, { minItems: 1, maxItems: 100 }),
    repeats: Type.Integer({ minimum: 1, maximum: 1000 }),
    /**
     * Into how many blocks the repeats are split. All pairs of a block are played before those of the next, which may be on
     * another day. Absent: one block.
     */
    blocks: Type.Optional(Type.Integer({ minimum: 2, maximum: 1000 })),
    seeds: Type.Array(Type.Integer({ minimum: 0, maximum: 2 ** 32 - 1 }), { minItems: 1, maxItems: 1000 }),
    /**
     * What the viewer does in each session, as in `src/shared/viewerScript.ts`: `time-20~60:seek-to-200,time-90:pause-35`.
     * A range of times is drawn for each pair. Absent: presses play and watches.
     */
    viewer: Type.Optional(Type.String({ minLength: 1, maxLength: 2000 })),
    /** Duration of each session in s, from the first frame. */
    seconds: Type.Integer({ minimum: 1, maximum: 86_400 }),
    /** Time in s for which the network is constant before play is requested; not used without profiles. */
    leadInSeconds: Type.Integer({ minimum: 0, maximum: 600 }),
    /**
     * Whether each browser visits the origin before its session, in the lead-in. `in-turn`: those of half of the networks do.
     * Absent: cold.
     */
    browserProfile: Type.Optional(
      Type.Union([Type.Literal('cold'), Type.Literal('warm'), Type.Literal('in-turn')]),
    ),
    /** Start of a pair in its profile: at the start, or at a time drawn with the pair's seed. */
    phase: Type.Union([Type.Literal('start'), Type.Literal('drawn')]),
    preset: Name,
    /** The only metric that gets verdicts. */
    primary: Name,
    /** The smallest difference that matters, in the unit of the primary metric. A campaign has this or `marginPercent`. */
    margin: Type.Optional(Type.Number({ minimum: 0, maximum: 1e9 })),
    /**
     * The smallest difference that matters, in % of the second arm, tested on the ratios of pairs. For metrics whose values
     * are above 0.
     */
    marginPercent: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 1000 })),
    alpha: Type.Number({ minimum: 1e-9, maximum: 0.5 }),
    /** The compared factor; all other factors of an arm are equal. */
    compare: Compared,
    /** Compares all others only with this one; absent: compares each with each. */
    control: Type.Optional(Name),
    /** One verdict over all networks together, or one for each network. */
    per: Type.Union([Type.Literal('campaign'), Type.Literal('network')]),
    /**
     * What a verdict is about. `network`: networks like those of the campaign; the unit of test and interval is the network,
     * with the mean over its pairs. `repeat`: these networks only; the unit is the pair. Absent: the unit is the pair.
     */
    infer: Type.Optional(Type.Union([Type.Literal('network'), Type.Literal('repeat')])),
    /** Plays some pairs again under other conditions, to see whether the verdicts depend on them. Absent: none. */
    robustTo: Type.Optional(RobustTo),
  },
  { additionalProperties: false, $id: CAMPAIGN_SCHEMA, title: 'Pitwall campaign' },
);

export type CampaignFile = Static<typeof CampaignFile>;
export type DrawnProfile = Static<typeof DrawnProfile>;
export type TlsRecords = NonNullable<CampaignFile['tlsRecords']>;
