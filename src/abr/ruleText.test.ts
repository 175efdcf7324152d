import { describe, expect, it } from 'vitest';
import type { Rule } from './rule.ts';
import { parseRuleText, ruleOf, splitWeights } from './ruleText.ts';
import { fixed, lowest } from './rules/fixed.ts';
import { tunableRule } from './parameters.ts';

const wordy = tunableRule({ word: 'calm', bold: false, 'rate-kbps': 1.5 }, () => ({
  ...lowest,
  id: 'wordy',
}));
const rules = [lowest, fixed, wordy] as unknown as Rule[];

describe('the rule that a text asks for', () => {
  it.each([
    { text: 'lowest', parameters: {} },
    { text: 'fixed', parameters: { level: 1 } },
    { text: 'fixed:level=4', parameters: { level: 4 } },
    { text: 'wordy:word=7:bold=true', parameters: { word: '7', bold: true, 'rate-kbps': 1.5 } },
    { text: 'wordy:rate-kbps=-2e3', parameters: { word: 'calm', bold: false, 'rate-kbps': -2000 } },
    { text: 'wordy:word=a=b', parameters: { word: 'a=b', bold: false, 'rate-kbps': 1.5 } },
    { text: 'wordy:word=', parameters: { word: '', bold: false, 'rate-kbps': 1.5 } },
  ])('$text', ({ text, parameters }) => {
    const found = ruleOf(text, rules);
    expect(found).toMatchObject({ ok: true, value: { id: text.split(':')[0], parameters } });
  });

  it.each([
    { text: '', error: 'Unknown rule ""; known: lowest, fixed, wordy.' },
    { text: 'Fixed', error: 'Unknown rule "Fixed": did you mean "fixed"? Known: lowest, fixed, wordy.' },
    { text: 'lowest:level=1', error: 'The rule lowest has no parameters to set.' },
    { text: 'fixed:level', error: '"level" in "fixed:level" is no setting: write name=value.' },
    { text: 'fixed:=3', error: '"=3" in "fixed:=3" is no setting: write name=value.' },
    { text: 'fixed:', error: '"" in "fixed:" is no setting: write name=value.' },
    { text: 'fixed:level=', error: 'The parameter level of fixed is a number, not "".' },
    { text: 'fixed:level=1:level=2', error: '"fixed:level=1:level=2" sets level twice.' },
    { text: 'fixed:speed=3', error: 'The rule fixed has no parameter "speed"; it has level.' },
    { text: 'fixed:__proto__=3', error: 'The rule fixed has no parameter "__proto__"; it has level.' },
    { text: 'fixed:rung=3', error: 'The rule fixed has no parameter "rung"; it has level.' },
    { text: 'fixed:level=0', error: 'The parameter level of fixed must be a whole number from 1, not 0.' },
    { text: 'fixed:level=x', error: 'The parameter level of fixed is a number, not "x".' },
    { text: 'wordy:bold=yes', error: 'The parameter bold of wordy is a boolean, not "yes".' },
  ])('refuses $text', ({ text, error }) => {
    expect(ruleOf(text, rules)).toEqual({ ok: false, error });
  });
});

it.each([
  ['fixed', 'fixed', [], null],
  ['bola:gp=5:bufferMaxMs=25000', 'bola', ['gp=5', 'bufferMaxMs=25000'], null],
  ['fixed:', 'fixed', [''], null],
  ['neural:qoe=log:weights=a:b/c.json', 'neural', ['qoe=log'], 'a:b/c.json'],
])('%s is taken apart', (text, id, settings, file) => {
  const split = splitWeights(text);
  expect(split.file).toBe(file);
  expect(parseRuleText(split.spec)).toEqual({ id, settings });
});
