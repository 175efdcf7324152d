import { abrRules } from '../../src/abr/registry.ts';
import type { Rule } from '../../src/abr/rule.ts';
import { testWeights } from '../../src/abr/testWeights.testing.ts';

/** Every rule, able to decide: a net with made-up weights takes as long as a trained one. */
export const decidableRules = (): readonly Rule[] =>
  abrRules.map((rule) => {
    if (!rule.withWeights) return rule;
    const able = rule.withWeights(JSON.stringify(testWeights()));
    if (!able.ok) throw new Error(able.error);
    return able.value;
  });
