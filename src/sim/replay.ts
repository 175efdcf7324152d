import type { Rule } from '../abr/rule.ts';
import type { SessionLog } from '../telemetry/schema/sessionLog.ts';
import { derivedRuns } from './replay/derivedRuns.ts';
import { formatRuleFault } from './replay/formatRuleFault.ts';
import { played } from './replay/played.ts';
import { recordedRuns } from './replay/recordedRuns.ts';
import type { ReplayedDecision } from './replay/replayedDecision.ts';
import { ruleSpansOf } from './replay/ruleSpansOf.ts';

/** What a rule would have chosen in a recorded session. */
export interface Replay {
  readonly ruleId: string;
  /** One per decision of the log, in the order in which they were made. */
  readonly decisions: readonly ReplayedDecision[];
  /** Decisions whose rung is the recorded one. */
  readonly identical: number;
  /** Decisions whose rule inputs had to be derived: dash.js' own rules were in charge. */
  readonly derived: number;
  /** What the rule threw at an event, each sentence once; decisions have their own `fault`. */
  readonly faults: readonly string[];
}

/**
 * Plays a recorded session through a rule: at each decision the rule has received what was known then, and answers from
 * the recorded moment. It receives how the session went, not how it would have gone: its own choices have no effect.
 * For the rule that was recorded the answers are the recorded ones. Throws nothing that the rule throws.
 */
export function replay(log: SessionLog, rule: Rule): Replay {
  const faults = new Set<string>();
  const spans = ruleSpansOf(log).filter((span) => span.decisions.length > 0);
  const runs = spans.flatMap((span) => (span.input.length > 0 ? recordedRuns(span) : derivedRuns(log, span)));
  const decisions = runs
    .flatMap((run) => played(run, rule, (thrown) => void faults.add(formatRuleFault(rule, thrown))))
    .sort((one, other) => one.atMs - other.atMs);
  return {
    ruleId: rule.id,
    decisions,
    identical: decisions.filter(({ agrees }) => agrees).length,
    derived: decisions.filter(({ input }) => input === 'derived').length,
    faults: [...faults],
  };
}
