import type { Static } from '@sinclair/typebox';
import * as Type from '@sinclair/typebox';
import { CampaignFile } from './campaignFile.ts';

const GATE_SCHEMA = 'pitwall-gate/1';

const Metric = Type.Object(
  {
    /** Id of a metric that has a better direction; worse is the other one. */
    metric: Type.String({ minLength: 1, maxLength: 100 }),
    /** How much worse is still accepted, in the unit of the metric. A metric has this or `marginPercent`. */
    margin: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 1e9 })),
    /** How much worse is still accepted, in % of the base, for metrics with values above 0. A metric has this or `margin`. */
    marginPercent: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 1000 })),
  },
  { additionalProperties: false },
);

const { transports, origin, initialWindowPackets, profiles, contents, viewer } = CampaignFile.properties;
const { seconds, leadInSeconds, browserProfile, phase, preset } = CampaignFile.properties;

/**
 * Defines what a gate plays and how it judges. Fields that campaigns have as well mean the same (`docs/campaign-file.md`);
 * `docs/gate.md` documents the others. Absent fields have the value of `usualGate`.
 */
export const GateFile = Type.Object(
  {
    schema: Type.Literal(GATE_SCHEMA),
    /** Describes the gate; not used by the program. */
    about: Type.Optional(Type.String({ maxLength: 4000 })),
    /** The rule that both pages play, where pages are compared. */
    rule: Type.Optional(Type.String({ minLength: 1, maxLength: 400 })),
    transports: Type.Optional(transports),
    origin,
    initialWindowPackets,
    profiles: Type.Optional(profiles),
    contents: Type.Optional(contents),
    viewer,
    seconds: Type.Optional(seconds),
    leadInSeconds: Type.Optional(leadInSeconds),
    browserProfile,
    phase: Type.Optional(phase),
    preset: Type.Optional(preset),
    /** Seed of the networks that are drawn, of losses and phases, and of the order of arms. */
    seed: Type.Optional(Type.Integer({ minimum: 0, maximum: 2 ** 32 - 1 })),
    /** Metrics that must not become worse. The first is the primary metric of the report. */
    metrics: Type.Optional(Type.Array(Metric, { minItems: 1, maxItems: 10 })),
    /** Time for everything from the first session to the verdict, min. */
    minutes: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 24 * 60 })),
    /** The chance of each of the two errors, over all looks: equal arms are called a regression; one beyond a margin is passed. */
    alpha: Type.Optional(Type.Number({ minimum: 1e-4, maximum: 0.5 })),
    /** NEW passes only where faults in this share of sessions or more are ruled out, however severe they are. */
    rareShare: Type.Optional(Type.Number({ minimum: 0.01, maximum: 0.5 })),
    /** How often the results are looked at, at most. */
    looks: Type.Optional(Type.Integer({ minimum: 1, maximum: 20 })),
  },
  { additionalProperties: false, $id: GATE_SCHEMA, title: 'Pitwall gate' },
);

export type GateFile = Static<typeof GateFile>;
export type GateMetric = NonNullable<GateFile['metrics']>[number];

type Optional = 'about' | 'origin' | 'initialWindowPackets' | 'viewer' | 'browserProfile';

/** A gate file with the usual values of what it leaves out. */
export type Gate = Required<Omit<GateFile, Optional>> & Pick<GateFile, Optional>;

/**
 * The gate without a file. Two networks of measured rates and losses on which rules have a choice; sessions as short as their
 * first changes of level allow; margins above what equal arms differed by in recorded A/A pairs (docs/gate.md). The budget has
 * time for the 59 pairs that rule a share of 5 % out, and for a third more, one pair at a time.
 */
export const usualGate: Gate = {
  schema: GATE_SCHEMA,
  rule: 'dashjs-dynamic',
  transports: ['h3-racing'],
  profiles: ['fcc-typical-delay-typical-loss', 'np2b-typical-delay-typical-loss'],
  contents: ['padded:envivio:segment=2'],
  seconds: 25,
  leadInSeconds: 2,
  phase: 'drawn',
  preset: 'as-shipped',
  seed: 1,
  metrics: [
    { metric: 'mean-bitrate', marginPercent: 5 },
    { metric: 'rebuffer-rate', margin: 0.5 },
    { metric: 'join-time', marginPercent: 10 },
  ],
  minutes: 90,
  alpha: 0.05,
  rareShare: 0.05,
  looks: 5,
};
