import type { ReportSource } from './reportSource.ts';
import type { SessionOutcome } from './sessionOutcome.ts';
import type { SessionSummary } from './sessionSummary.ts';
import { flaggedPairs } from '../../experiment/verdict/flaggedPairs.ts';
import type { CampaignPlan } from '../../experiment/plan/plan.ts';

/** What was read of a session: what became of it, and its summary where it has a log. */
export interface ReadSession {
  readonly outcome: SessionOutcome;
  readonly summary: SessionSummary | null;
}

/** Joins the sessions that were read, in the plan's order; invalidated pairs are set apart as a whole. */
export function reportSourceOf(
  plan: CampaignPlan,
  read: readonly ReadSession[],
  notes: readonly string[],
): ReportSource {
  const finished = read.flatMap(({ summary }) => (summary ? [summary] : []));
  const { flagged } = flaggedPairs(plan.sessions, new Map(finished.map(({ id, flags }) => [id, flags])));
  const isFlagged = ({ design }: SessionSummary): boolean => flagged.has(design.pair);
  return {
    plan,
    sessions: finished.filter((each) => !isFlagged(each)),
    flagged: finished.filter(isFlagged),
    outcomes: read.map(({ outcome }) => outcome),
    notes,
  };
}
