import type { Parameters } from './rule.ts';

/** Throws one sentence about the first of the named parameters that is not a number above 0. */
export function mustBePositive(id: string, parameters: Parameters, names: readonly string[]): void {
  for (const name of names) {
    const value = parameters[name];
    if (!(typeof value === 'number' && value > 0))
      throw new Error(`The parameter ${name} of ${id} must be above 0, not ${String(value)}.`);
  }
}
