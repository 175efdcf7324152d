import type { Parameters } from './rule.ts';

/** Throws one sentence unless the named parameter is a whole number from 1. */
export function mustBeCount(id: string, parameters: Parameters, name: string): void {
  const value = parameters[name];
  if (!(typeof value === 'number' && Number.isInteger(value) && value >= 1))
    throw new Error(`The parameter ${name} of ${id} must be a whole number from 1, not ${String(value)}.`);
}
