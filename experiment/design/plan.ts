import type { CampaignFile, TlsRecords } from './campaignFile.ts';
import type { SessionFactors } from '../factors/registry.ts';
import type { Profile } from '../../src/network/profile.ts';
import type { SessionLog } from '../../src/telemetry/schema/sessionLog.ts';

export const PLAN_SCHEMA = 'pitwall-plan/2';

/** All that a campaign will do, in the order in which it does it. The same campaign gives the same plan, byte for byte. */
export interface CampaignPlan {
  readonly schema: typeof PLAN_SCHEMA;
  readonly campaign: CampaignFile;
  /** Networks of the campaign; empty where there is no emulated link. */
  readonly networks: readonly Network[];
  /** Streams that are made for the campaign; absent where there are none. */
  readonly contents?: readonly MadeContent[];
  /**
   * Files that rules are made of: weights that they decide with, named or the rules' own, and rule files. Absent where no rule
   * has any. Other files make another plan.
   */
  readonly weights?: readonly PlannedWeights[];
  /** What the pages of the campaign were made of; absent where it names no page. Another page makes another plan. */
  readonly pages?: readonly PlannedPage[];
  /** Sizing of TLS records by the instrumented origin. Absent where Caddy serves, and in plans of versions with `16k` alone. */
  readonly tlsRecords?: TlsRecords;
  /** Sessions of the campaign. Arms of a pair stand together, in the order in which they are played. */
  readonly sessions: readonly PlannedSession[];
  /** Pairs that are played again under other conditions; absent where the campaign names none (`robustTo`). */
  readonly variants?: readonly PlannedVariant[];
}

/** Pairs that are played again under one other condition, after all sessions of the campaign and apart from them. */
export interface PlannedVariant {
  /** Id of the variant (`variants.ts`). */
  readonly variant: string;
  /** The pairs by the names that the campaign itself has for them. */
  readonly pairs: readonly string[];
  /** The changed networks, in the order of the plan. */
  readonly networks: readonly Network[];
  readonly sessions: readonly PlannedSession[];
}

/** A plan without its sessions: those of a large campaign are made when they are played (`plannedPairs`). */
export type PlanHead = Omit<CampaignPlan, 'sessions' | 'variants'>;

export interface PlannedWeights {
  /** Text of the rule, as its sessions have it. */
  readonly rule: string;
  /** Text of the rule for the page: without the file of its weights. */
  readonly spec: string;
  /** SHA-256 of the text of the file, hexadecimal. */
  readonly sha256: string;
  /** The rule file, as in the campaign file; absent for weights. `rule` then begins with the id of its rule. */
  readonly file?: string;
}

export interface PlannedPage {
  /** Name of the page, as in the campaign file. */
  readonly name: string;
  /** SHA-256 of the build of dash.js, or of all files of a built page. null: the page of this checkout. */
  readonly sha256: string | null;
}

/** A profile of the registry or of a file, or a recorded trace, under the name that the campaign's cells have. */
export interface Network {
  readonly name: string;
  readonly profile: Profile;
  /** A file describes it or its path: its logs hold the profile whole. Absent: no. */
  readonly isFromFile?: true;
}

/** A stream that is made for a campaign. */
export interface MadeContent {
  /** Name of the content, as in the campaign file. */
  readonly name: string;
  /** Name of the folder in the cache. It ends with a hash of all sizes, so that a plan with another table is another plan. */
  readonly folder: string;
  readonly segments: number;
  readonly segmentSeconds: number;
  readonly ladderKbps: readonly number[];
  /** Rate of the audio, kbit/s; null: without sound. */
  readonly audioKbps: number | null;
  /** The segments are repeated for ever, for each session as if they were just being made; absent: video on demand. */
  readonly live?: 'whole-segments' | 'low-latency';
}

/** A session of a plan. What it has of a factor is absent where its campaign does not vary that. */
export interface PlannedSession extends SessionFactors {
  /** Names the log's file and the origin's host: a DNS label. */
  readonly id: string;
  /** Whether the browser of this session is cold or warm, where the campaign has both in turn. */
  readonly browserProfile?: 'cold' | 'warm';
  /** Name of the content, as in the campaign file. */
  readonly content: string;
  /** The viewer's script, the same for all arms of a pair; absent where the campaign has none. */
  readonly viewer?: string;
  /** Emulated link, the same for all arms of a pair; null without one. */
  readonly link: PlannedLink | null;
  /** Place of the session in the campaign, as the session's log has it. */
  readonly design: NonNullable<SessionLog['design']>;
}

export interface PlannedLink {
  readonly network: string;
  /** Seed of the random losses. */
  readonly seed: number;
  /** Phase of the profile when play is requested, ms. */
  readonly phaseMs: number;
  readonly leadInMs: number;
}
