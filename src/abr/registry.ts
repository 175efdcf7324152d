import type { Rule } from './rule.ts';
import * as rules from './rules/index.ts';

/** Every rule of ours, in the order of `rules/index.ts`. Pick one with `pick(abrRules, id)` of `../registry.ts`. */
export const abrRules: readonly Rule[] = Object.values(rules);
