import type { Parameters, Rule } from './rule.ts';

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
    tuned: (changes) => tunableRule(changed(body.id, defaults, changes), make),
  };
}

function changed<P extends Parameters>(id: string, defaults: P, changes: Parameters): P {
  for (const [name, value] of Object.entries(changes)) {
    if (!Object.hasOwn(defaults, name))
      throw new Error(
        `The rule ${id} has no parameter "${name}"; it has ${Object.keys(defaults).join(', ')}.`,
      );
    const before = defaults[name];
    if (typeof value !== typeof before || (typeof value === 'number' && !Number.isFinite(value)))
      throw new Error(
        `The parameter ${name} of ${id} is a ${typeof before}, not ${typeof value === 'string' ? JSON.stringify(value) : String(value)}.`,
      );
  }
  return { ...defaults, ...changes };
}

/** Throws one sentence about the first of the named parameters that is not a number above 0. */
export function mustBePositive(id: string, parameters: Parameters, names: readonly string[]): void {
  for (const name of names) {
    const value = parameters[name];
    if (!(typeof value === 'number' && value > 0))
      throw new Error(`The parameter ${name} of ${id} must be above 0, not ${String(value)}.`);
  }
}

/** Throws one sentence unless the named parameter is a whole number from `min`. */
export function mustBeCount(id: string, parameters: Parameters, name: string, min = 1): void {
  const value = parameters[name];
  if (!(typeof value === 'number' && Number.isInteger(value) && value >= min))
    throw new Error(
      `The parameter ${name} of ${id} must be a whole number from ${min}, not ${String(value)}.`,
    );
}
