import { readFile } from 'node:fs/promises';
import { shippedWeights } from '../../node/shippedWeights.ts';
import { abrRules } from '../../src/abr/registry.ts';
import type { Rule } from '../../src/abr/rule.ts';
import { testWeights } from '../../src/abr/testWeights.testing.ts';

/** Every rule, able to decide: with the weights it comes with, or made-up ones, which take as long. */
export const decidableRules = (): Promise<readonly Rule[]> =>
  Promise.all(
    abrRules.map(async (rule) => {
      if (!rule.withWeights) return rule;
      const able = await rule.withWeights(await weightsFor(rule));
      if (!able.ok) throw new Error(able.error);
      return able.value;
    }),
  );

async function weightsFor(rule: Rule): Promise<string> {
  const shipped = shippedWeights(rule);
  return shipped === null ? JSON.stringify(testWeights()) : await readFile(shipped, 'utf8');
}
