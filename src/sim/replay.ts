import type { Rule } from '../abr/rule.ts';
import type { SessionLog } from '../telemetry/schema/sessionLog.ts';
import { derivedSittings } from './replay/derivedSittings.ts';
import { formatRuleFault } from './replay/formatRuleFault.ts';
import { played } from './replay/played.ts';
import { recordedSittings } from './replay/recordedSittings.ts';
import type { ReplayedDecision } from './replay/replayedDecision.ts';
import { stintsOf } from './replay/stintsOf.ts';

/** What a rule would have chosen in a recorded session. */
export interface Replay {
  readonly ruleId: string;
  /** One per decision of the log, in the order in which they were made. */
  readonly decisions: readonly ReplayedDecision[];
  /** Decisions whose rung is the recorded one. */
  readonly identical: number;
  /** Decisions for which what the rule is told had to be derived: dash.js' own rules were in charge. */
  readonly derived: number;
  /** What the rule threw at an event, each sentence once; decisions have their own `fault`. */
  readonly faults: readonly string[];
}

/**
 * Plays a recorded session through a rule: at each decision the rule has been told what was known then, and answers
 * from the recorded moment. It hears how the session went, not how it would have gone: its own choices have no effect.
 * For the rule that was recorded the answers are the recorded ones. Throws nothing that the rule throws.
 */
export function replay(log: SessionLog, rule: Rule): Replay {
  const faults = new Set<string>();
  const stints = stintsOf(log).filter((stint) => stint.decisions.length > 0);
  const sittings = stints.flatMap((stint) =>
    stint.told.length > 0 ? recordedSittings(stint) : derivedSittings(log, stint),
  );
  const decisions = sittings
    .flatMap((sitting) => played(sitting, rule, (thrown) => void faults.add(formatRuleFault(rule, thrown))))
    .sort((one, other) => one.atMs - other.atMs);
  return {
    ruleId: rule.id,
    decisions,
    identical: decisions.filter(({ agrees }) => agrees).length,
    derived: decisions.filter(({ told }) => told === 'derived').length,
    faults: [...faults],
  };
}
