import type { Static } from '@sinclair/typebox';
import * as Type from '@sinclair/typebox';

export const TRIAL_SCHEMA = 'pitwall-trial/1';

const closed = { additionalProperties: false } as const;

const Arm = Type.Object(
  {
    /** Pathway id: `serviceLocation` of DASH, PATHWAY-ID of HLS. */
    pathway: Type.String({ minLength: 1, maxLength: 64, pattern: '^[A-Za-z0-9._-]+$' }),
    /** What the pathway offers: `h3` may fall back to TCP where UDP is blocked, `tcp` offers no HTTP/3. */
    transport: Type.Union([Type.Literal('h3'), Type.Literal('tcp')]),
    /** Share of sessions, viewers or periods. The shares add up to 1. */
    share: Type.Number({ minimum: 0.01, maximum: 0.99 }),
    /** Base URL of the media on this pathway. */
    baseUrl: Type.String({ minLength: 8, maxLength: 1000 }),
  },
  closed,
);

const Unit = Type.Union([
  Type.Object({ kind: Type.Literal('session') }, closed),
  Type.Object({ kind: Type.Literal('viewer') }, closed),
  Type.Object(
    {
      kind: Type.Literal('switchback'),
      /** All sessions that begin in one period have one arm, min. */
      periodMinutes: Type.Number({ minimum: 5, maximum: 7 * 24 * 60 }),
      /** Sessions that begin so soon after a switch are not counted: older ones of the other arm still play, min. */
      washoutMinutes: Type.Number({ minimum: 0, maximum: 24 * 60 }),
    },
    closed,
  ),
]);

/** Defines a trial: a randomised comparison of transports by the sessions of viewers. `docs/trial.md` explains the fields. */
export const TrialFile = Type.Object(
  {
    schema: Type.Literal(TRIAL_SCHEMA),
    name: Type.String({ minLength: 1, maxLength: 64, pattern: '^[a-z0-9][a-z0-9-]*$' }),
    /** Lines for the reader; not used by the program. */
    about: Type.Optional(Type.Array(Type.String({ maxLength: 400 }), { maxItems: 60 })),
    /** Text that is hashed with each id. Another salt makes another assignment. Keep it secret. */
    salt: Type.String({ minLength: 16, maxLength: 200 }),
    arms: Type.Array(Arm, { minItems: 2, maxItems: 6 }),
    /** Pathway that the others are compared with, and that the kill switch returns to. */
    default: Type.String({ minLength: 1, maxLength: 64 }),
    unit: Unit,
    primary: Type.Object(
      {
        metric: Type.String({ minLength: 1, maxLength: 64 }),
        /** The smallest difference that matters, in the unit of the metric. */
        margin: Type.Number({ minimum: 1e-6, maximum: 1e9 }),
      },
      closed,
    ),
    /** Further metrics, which describe and give no verdict. */
    metrics: Type.Array(Type.String({ minLength: 1, maxLength: 64 }), { maxItems: 10 }),
    stopping: Type.Object(
      {
        /** Length of the trial. */
        days: Type.Integer({ minimum: 1, maximum: 365 }),
        /** Chance of a false alarm over all looks together. */
        alpha: Type.Number({ minimum: 1e-4, maximum: 0.5 }),
        /** How often the result is looked at, evenly over the days. The interval holds at any number of looks. */
        looks: Type.Integer({ minimum: 1, maximum: 1000 }),
      },
      closed,
    ),
    /** What the design is computed from. Take the numbers from the weeks before the trial. */
    expected: Type.Object(
      {
        sessionsPerDay: Type.Number({ minimum: 1, maximum: 1e9 }),
        /** Standard deviation of the primary metric over sessions, in its unit. */
        spread: Type.Number({ minimum: 1e-9, maximum: 1e9 }),
        sessionsPerViewer: Type.Number({ minimum: 1, maximum: 1e5 }),
        /** Correlation of the primary metric between two sessions of one viewer. */
        viewerCorrelation: Type.Number({ minimum: 0, maximum: 1 }),
        /** Standard deviation of a period's mean beyond that of its sessions, in the unit of the metric. */
        periodSpread: Type.Number({ minimum: 0, maximum: 1e9 }),
      },
      closed,
    ),
    /** How long a player keeps an answer of the steering server: the kill switch takes so long. */
    ttlSeconds: Type.Integer({ minimum: 1, maximum: 3600 }),
    /** After so many days sessions and assignments are deleted. */
    retentionDays: Type.Integer({ minimum: 1, maximum: 3650 }),
  },
  { ...closed, $id: TRIAL_SCHEMA, title: 'Pitwall trial' },
);

export type Trial = Static<typeof TrialFile>;
export type TrialArm = Trial['arms'][number];

/** Returns the arm that the others are compared with. */
export const defaultArm = (trial: Trial): TrialArm =>
  trial.arms.find(({ pathway }) => pathway === trial.default)!;

/** Returns the arms that are compared with the default, in the order of the file. */
export const otherArms = (trial: Trial): TrialArm[] =>
  trial.arms.filter(({ pathway }) => pathway !== trial.default);
