import type { Answer, Moment, Rule, RuleContext, RuleEvent } from '../abr/rule.ts';

/** A rule at work for one media type: its state, and what it threw if it threw. */
export interface RuleSeat {
  tell(event: RuleEvent): void;
  /** Throws what the rule throws; the seat stays usable. */
  ask(moment: Moment): Answer;
}

/**
 * Seats a rule. Whatever `start` or `observe` throws goes to `onFault` and the state stays as it was: one event that
 * a rule cannot digest must not end its run.
 */
export function seatRule(rule: Rule, context: RuleContext, onFault: (fault: unknown) => void): RuleSeat {
  let state: { readonly value: unknown } | null = null;
  const begin = (): { readonly value: unknown } => (state ??= { value: rule.start(context) });
  return {
    tell(event) {
      try {
        state = { value: rule.observe(begin().value, event) };
      } catch (fault) {
        onFault(fault);
      }
    },
    ask: (moment) => rule.decide(begin().value, moment),
  };
}
