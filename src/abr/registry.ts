import type { Rule } from './rule.ts';
import * as rules from './rules/index.ts';

/** Every rule of ours, by id: the order of a module's exports differs between bundlers. Pick one with `pick(abrRules, id)` of `../shared/registry.ts`. */
export const abrRules: readonly Rule[] = Object.values(rules).sort((one, other) =>
  one.id < other.id ? -1 : 1,
);
