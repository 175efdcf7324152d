import { statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { abrRules } from '../src/abr/registry.ts';
import { playedRules } from '../cli/playedRules.ts';
import { rulesOf } from './rulesOf.ts';
import { shippedWeights } from './shippedWeights.ts';

const shipping = abrRules.filter((rule) => rule.shippedWeights !== undefined);

test('a rule with weights of its own decides without anybody naming a file, on the command line and in a comparison', async () => {
  expect(shipping.map(({ id }) => id)).toContain('neural');
  for (const { id } of shipping) {
    const rules = await rulesOf([id]);
    expect(rules.ok && rules.value.map(({ parameters }) => typeof parameters['weights'])).toEqual(['string']);
    expect(playedRules(id)).toEqual([id]);
  }
});

test('those weights are no more than 150 kB to download', () => {
  for (const rule of shipping) expect(statSync(shippedWeights(rule)!).size).toBeLessThanOrEqual(150_000);
});
