import { changedParameters, type Parameters } from '../shared/parameters.ts';
import type { SteeringPolicy } from './policy.ts';

/** A policy whose parameters can be set: `make` builds it from a whole set of values, and throws one sentence if it cannot. */
export function tunablePolicy<P extends Parameters, State>(
  defaults: P,
  make: (parameters: P) => Omit<SteeringPolicy<State>, 'parameters' | 'tuned'>,
): SteeringPolicy<State> {
  const body = make(defaults);
  return {
    ...body,
    parameters: defaults,
    tuned: (changes) =>
      tunablePolicy(changedParameters({ kind: 'policy', id: body.id }, defaults, changes), make),
  };
}
