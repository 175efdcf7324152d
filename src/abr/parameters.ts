import { changedParameters } from '../shared/parameters.ts';
import type { Parameters, Rule } from './rule.ts';

export { mustBeCount, mustBePositive } from '../shared/parameters.ts';

/** A rule without what `tunableRule` adds. */
export type RuleBody<State> = Omit<Rule<State>, 'parameters' | 'tuned'>;

/**
 * A rule whose parameters can be set: `make` builds it from a whole set of values, `defaults` are the paper's. `make`
 * throws one sentence when it cannot run with a value.
 */
export function tunableRule<P extends Parameters, State>(
  defaults: P,
  make: (parameters: P) => RuleBody<State>,
): Rule<State> {
  const body = make(defaults);
  return {
    ...body,
    parameters: defaults,
    tuned: (changes) =>
      tunableRule(changedParameters({ kind: 'rule', id: body.id }, defaults, changes), make),
  };
}

/** A parameter that a session was played with, and its value now. */
interface OtherParameter {
  readonly name: string;
  readonly recorded: Parameters[string];
  readonly now: Parameters[string];
}

/** Parameters that no text sets: they say which net, or which file, a rule was made of. */
export const FILE_PARAMETERS: readonly string[] = ['weights', 'file', 'sha256'];

/**
 * The parameters of a rule that a log has with other values: the values that a rule comes with may differ between versions. What
 * it was made of is no setting, and a rule that has no net yet cannot know it.
 */
export const otherParameters = (
  recorded: Parameters | null,
  rule: Pick<Rule, 'parameters'>,
): OtherParameter[] =>
  Object.entries(rule.parameters).flatMap(([name, now]) => {
    const before = recorded?.[name];
    return FILE_PARAMETERS.includes(name) || before === undefined || before === now
      ? []
      : [{ name, recorded: before, now }];
  });
