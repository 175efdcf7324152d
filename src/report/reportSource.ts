import type { SessionOutcome } from './sessionOutcome.ts';
import type { SessionSummary } from './sessionSummary.ts';
import type { CampaignPlan } from '../../experiment/plan/plan.ts';

/** What a report is made of: the plan, and a summary of each finished session. */
export interface ReportSource {
  readonly plan: CampaignPlan;
  /** Without invalidated pairs, in the plan's order. What figures and tables draw. */
  readonly sessions: readonly SessionSummary[];
  /** Of the invalidated pairs: counted, never drawn. */
  readonly flagged: readonly SessionSummary[];
  /** One for each planned session, in the plan's order. */
  readonly outcomes: readonly SessionOutcome[];
  /** Sentences of whoever ran it: what of the senders is alike, what a simulator leaves out. */
  readonly notes: readonly string[];
}
