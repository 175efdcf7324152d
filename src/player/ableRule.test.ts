import { describe, expect, it } from 'vitest';
import { plainRule } from '../abr/plainRule.testing.ts';
import type { Rule } from '../abr/rule.ts';
import { failed, ok } from '../shared/result.ts';
import { ableRule, type PickableRule } from './rules.ts';

/** Its weights are one number, the rung it always takes. */
const net: Rule = {
  ...plainRule,
  id: 'net',
  withWeights: (text) =>
    Promise.resolve(
      /^[0-9]$/.test(text)
        ? ok({ ...plainRule, parameters: { rung: Number(text) } })
        : failed('line 1: not a rung.'),
    ),
};
const shipped: Rule = { ...net, id: 'shipped', shippedWeights: 'models/shipped.json' };
const rules: PickableRule[] = [
  {
    id: 'dashjs-bola',
    label: 'BOLA',
    rule: null,
    builtIns: { kind: 'hybrid', throughputRule: false, bolaRule: true },
  },
  ...[plainRule, net, shipped].map((rule) => ({ id: rule.id, label: rule.label, rule, builtIns: null })),
];

async function parametersOf(text: string, weights: string | null = null): Promise<unknown> {
  const files: string[] = [];
  const load = (file: string): Promise<string> => {
    files.push(file);
    return Promise.resolve('7');
  };
  const able = await ableRule(text, { weights, shipped: load }, rules);
  return able.ok ? [able.value.rule?.parameters, ...files] : able.error;
}

describe('a rule that is to decide', () => {
  it('is there at once where it needs nothing', async () => {
    expect(await parametersOf('plain')).toEqual([{}]);
    expect(await parametersOf('dashjs-bola')).toEqual([undefined]);
  });

  it('needs the weights of a rule that has some', async () => {
    expect(await parametersOf('net', '2')).toEqual([{ rung: 2 }]);
    expect(await parametersOf('net')).toContain('needs its weights');
    expect(await parametersOf('net', 'x')).toBe('The weights of net cannot be used: line 1: not a rung.');
  });

  it('takes the weights that come with it, unless others are given', async () => {
    expect(await parametersOf('shipped')).toEqual([{ rung: 7 }, 'models/shipped.json']);
    expect(await parametersOf('shipped', '2')).toEqual([{ rung: 2 }]);
  });

  it('says what is wrong with its text', async () => {
    expect(await parametersOf('magic')).toContain('Unknown rule "magic"; known: dashjs-bola, plain,');
  });
});
