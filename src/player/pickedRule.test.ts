import { describe, expect, it } from 'vitest';
import type { Rule } from '../abr/rule.ts';
import { ok } from '../shared/result.ts';
import { tunableRule } from '../abr/parameters.ts';
import { pickedRule } from './pickedRule.ts';
import type { PickableRule } from './rules.ts';

const tuned: Rule = tunableRule({ rung: 0, careful: true }, (parameters) => ({
  id: 'mine',
  label: 'Mine',
  paper: 'none: made for this test',
  start: () => null,
  observe: (state) => state,
  decide: () => ({ rung: parameters.rung, because: 'Because.' }),
}));
const plain: Rule = {
  id: 'plain',
  label: 'Plain',
  paper: 'none: made for this test',
  parameters: {},
  start: () => null,
  observe: (state) => state,
  decide: () => ({ rung: 0, because: 'Because.' }),
};
const rules: PickableRule[] = [
  { id: 'dashjs-bola', label: 'BOLA', rule: null, builtIns: { throughputRule: false, bolaRule: true } },
  ...[tuned, plain].map((rule) => ({ id: rule.id, label: rule.label, rule, builtIns: null })),
];

const parametersOf = (text: string): unknown => {
  const picked = pickedRule(text, rules);
  return picked.ok ? picked.value.rule?.parameters : picked.error;
};

describe('what a rule text means', () => {
  it('is a rule of dash.js, or one of ours with its parameters', () => {
    expect(pickedRule('dashjs-bola', rules)).toEqual(ok(rules[0]));
    expect(parametersOf('mine')).toEqual({ rung: 0, careful: true });
    expect(parametersOf('mine:rung=3')).toEqual({ rung: 3, careful: true });
    expect(parametersOf('mine:careful=false:rung=1')).toEqual({ rung: 1, careful: false });
  });

  it.each([
    ['magic', 'Unknown rule "magic"; known: dashjs-bola, mine, plain.'],
    ['', 'Unknown rule ""; known: dashjs-bola, mine, plain.'],
    [
      'dashjs-bola:gp=5',
      'The rule dashjs-bola is a part of dash.js: its parameters are those of the preset.',
    ],
    ['mine:rungs=3', 'The rule mine has no parameter "rungs"; it has rung, careful.'],
    ['mine:rung=high', 'The parameter rung of mine is a number, not "high".'],
    ['mine:rung', '"rung" in "mine:rung" is no setting: write name=value.'],
    ['plain:a=1', 'The rule plain has no parameters to set.'],
  ])('"%s" is refused: %s', (text, sentence) => expect(parametersOf(text)).toBe(sentence));
});
