import type { RegistrationReport } from './registered.ts';
import type { SessionSummary } from './sessionSummary.ts';
import type { CampaignPlan, PlannedVariant } from '../design/plan.ts';
import { planOfVariant } from '../design/variants.ts';
import { isAaSession } from '../factors/arms.ts';
import { flaggedPairs, withSplitFlags } from '../verdict/flagged.ts';

/** What a report is made of: the plan, and a summary of each finished session. */
export interface ReportSource {
  readonly plan: CampaignPlan;
  /** Sessions without invalidated pairs and A/A sessions, in the plan's order: what figures and tables draw. */
  readonly sessions: readonly SessionSummary[];
  /** The A/A sessions, without invalidated pairs: an arm has no more sessions than others because of them. */
  readonly aaSessions: readonly SessionSummary[];
  /** Sessions of the invalidated pairs: counted, never drawn. */
  readonly flagged: readonly SessionSummary[];
  /** Outcomes, one for each planned session, in the plan's order. */
  readonly outcomes: readonly SessionOutcome[];
  /** Sentences of whoever ran the campaign: what of the senders is alike, what a simulator leaves out. */
  readonly notes: readonly string[];
  /** Registration of the campaign; absent where all sessions are simulated. */
  readonly registration?: RegistrationReport;
  /** Variants, each as a source of its own; absent where the campaign names none. */
  readonly variants?: readonly VariantSource<ReportSource>[];
}

/** What was read of a variant: none of its sessions is among those of the campaign. */
interface VariantSource<Source> {
  readonly variant: PlannedVariant;
  readonly source: Source;
}

/** What comparisons need of a session. */
export type ScoredSession = Pick<SessionSummary, 'id' | 'values' | 'lowerBound' | 'design' | 'playbackHash'> &
  Partial<Pick<SessionSummary, 'errors'>>;

/** What verdicts and exploratory rows are computed from: the source of a report, or the committed metrics of its sessions. */
export interface ScoredSource {
  readonly plan: CampaignPlan;
  readonly sessions: readonly ScoredSession[];
  readonly aaSessions: readonly ScoredSession[];
  readonly flagged: readonly ScoredSession[];
  readonly variants?: readonly VariantSource<ScoredSource>[];
}

/** Returns every finished session: used, A/A and invalidated. */
export const allSessions = <Session>({
  sessions,
  aaSessions,
  flagged,
}: Readonly<Record<'sessions' | 'aaSessions' | 'flagged', readonly Session[]>>): Session[] => [
  ...sessions,
  ...aaSessions,
  ...flagged,
];

/** What became of a planned session. */
export type SessionState =
  /** It has a whole log of its own. */
  | 'finished'
  /** An outcome: no frame was shown in time. There is no log, so it has no value anywhere. */
  | 'never-started'
  /** An outcome: the player ended with an error. */
  | 'gave-up'
  /** The last try failed, and it was the laboratory's fault. */
  | 'laboratory'
  /** A file lies in the place of its log, and is none. */
  | 'unreadable'
  /** Nobody has played it yet. */
  | 'not-played';

export interface SessionOutcome {
  readonly id: string;
  readonly state: SessionState;
  /** One sentence about what failed; null where nothing did. */
  readonly why: string | null;
  /** The ids of failures of all tries that failed, in order, also of a session that has a log now. */
  readonly failedTries: readonly string[];
  /** The primary metric in the log of the last try that failed; null where it left none, or none with a value. */
  readonly discarded: number | null;
}

/** What was read of a session: what became of it, and its summary where it has a log. */
export interface ReadSession {
  readonly outcome: SessionOutcome;
  readonly summary: SessionSummary | null;
}

/**
 * Joins the sessions that were read: those of the plan in its order, then those of its variants. Invalidated pairs are set
 * apart as a whole.
 */
export function reportSourceOf(
  plan: CampaignPlan,
  all: readonly ReadSession[],
  notes: readonly string[],
): ReportSource {
  const read = all.slice(0, plan.sessions.length);
  let from = read.length;
  const variants = (plan.variants ?? []).map((variant) => {
    const of = all.slice(from, (from += variant.sessions.length));
    return { variant, source: reportSourceOf(planOfVariant(plan, variant), of, []) };
  });
  const summaries = new Map(read.flatMap(({ summary }) => (summary ? [[summary.id, summary] as const] : [])));
  const finished = [...withSplitFlags(plan, summaries).values()];
  const { flagged } = flaggedPairs(plan.sessions, new Map(finished.map(({ id, flags }) => [id, flags])));
  const isFlagged = ({ design }: SessionSummary): boolean => flagged.has(design.pair);
  const used = finished.filter((each) => !isFlagged(each));
  return {
    plan,
    sessions: used.filter((each) => !isAaSession(each)),
    aaSessions: used.filter(isAaSession),
    flagged: finished.filter(isFlagged),
    outcomes: read.map(({ outcome }) => outcome),
    notes,
    ...(variants.length > 0 && { variants }),
  };
}
