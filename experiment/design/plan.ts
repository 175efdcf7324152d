import type { CampaignFile, TlsRecords } from './campaignFile.ts';
import type { SessionFactors } from '../factors/registry.ts';
import type { Profile } from '../../src/network/profile.ts';
import type { SessionLog } from '../../src/telemetry/schema/sessionLog.ts';

export const PLAN_SCHEMA = 'pitwall-plan/2';

/** All that a campaign will do, in the order in which it does it. The same campaign gives the same plan, byte for byte. */
export interface CampaignPlan {
  readonly schema: typeof PLAN_SCHEMA;
  readonly campaign: CampaignFile;
  /** Empty where there is no emulated link. */
  readonly networks: readonly Network[];
  /** Streams that are made for it; absent where there are none. */
  readonly contents?: readonly MadeContent[];
  /** Of rules that decide with weights, named or their own; absent where none does. Other weights make another plan. */
  readonly weights?: readonly PlannedWeights[];
  /** What the pages of the campaign were made of; absent where it names none. Another page makes another plan. */
  readonly pages?: readonly PlannedPage[];
  /** Of the instrumented origin. Absent where Caddy serves, and in plans of versions that knew only `16k`. */
  readonly tlsRecords?: TlsRecords;
  /** Arms of a pair stand together, in the order in which they are played. */
  readonly sessions: readonly PlannedSession[];
}

/** A plan without its sessions: those of a large campaign are made when they are played (`plannedPairs`). */
export type PlanHead = Omit<CampaignPlan, 'sessions'>;

export interface PlannedWeights {
  /** As in the campaign file. */
  readonly rule: string;
  /** The same without its file. */
  readonly spec: string;
  /** Of the file. */
  readonly sha256: string;
}

export interface PlannedPage {
  /** As in the campaign file. */
  readonly name: string;
  /** Of what is not this checkout's: the build of dash.js, or all files of a built page. null: the page of this checkout. */
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
  /** As in the campaign file. */
  readonly name: string;
  /** In the cache; it ends with a hash of all sizes, so that a plan with another table is another plan. */
  readonly folder: string;
  readonly segments: number;
  readonly segmentSeconds: number;
  readonly ladderKbps: readonly number[];
  /** null: without sound. */
  readonly audioKbps: number | null;
  /** The segments are repeated for ever, for each session as if they were just being made; absent: video on demand. */
  readonly live?: 'whole-segments' | 'low-latency';
}

/** A session of a plan. What it has of a factor is absent where its campaign does not vary that. */
export interface PlannedSession extends SessionFactors {
  /** Names the log's file and the origin's host: a DNS label. */
  readonly id: string;
  /** Of this session, where the campaign has both in turn. */
  readonly browserProfile?: 'cold' | 'warm';
  /** As in the campaign file. */
  readonly content: string;
  /** The viewer's script, the same for all arms of a pair; absent where the campaign has none. */
  readonly viewer?: string;
  /** The same for all arms of a pair; null without an emulated link. */
  readonly link: PlannedLink | null;
  /** As the session's log has it. */
  readonly design: NonNullable<SessionLog['design']>;
}

export interface PlannedLink {
  readonly network: string;
  /** Of the random losses. */
  readonly seed: number;
  /** Of the profile, when play is requested. */
  readonly phaseMs: number;
  readonly leadInMs: number;
}
