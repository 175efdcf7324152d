import type { Answer, Moment, Rule, RuleContext, RuleEvent } from './rule.ts';
import { createSizeTable } from './sizeTable.ts';

/** A rule at work for one media type, in the player and in a replay: its state, and the sizes it may look up. */
export interface RuleRunner {
  tell(event: RuleEvent): void;
  /** Throws what the rule throws; the runner stays usable. */
  ask(moment: Moment): Answer;
}

/**
 * Runs a rule. Whatever `start` or `observe` throws goes to `onFault` and the state stays as it was: one event that
 * a rule cannot process must not end its run.
 */
export function createRuleRunner(
  rule: Rule,
  context: Omit<RuleContext, 'sizeBytes' | 'sizesFrom'>,
  onFault: (fault: unknown) => void,
): RuleRunner {
  const sizes = createSizeTable();
  const whole: RuleContext = { ...context, sizeBytes: sizes.sizeBytes, sizesFrom: sizes.from };
  let state: { readonly value: unknown } | null = null;
  const begin = (): { readonly value: unknown } => (state ??= { value: rule.start(whole) });
  return {
    tell(event) {
      try {
        const before = begin().value;
        if (event.kind === 'ladder') sizes.clear();
        if (event.kind === 'sizes') sizes.learn(event);
        state = { value: rule.observe(before, event) };
      } catch (fault) {
        onFault(fault);
      }
    },
    ask: (moment) => rule.decide(begin().value, moment),
  };
}
