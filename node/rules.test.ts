import { mkdtempSync, rmSync, writeFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it, test } from 'vitest';
import type { Rule } from '../src/abr/rule.ts';
import { failed, ok } from '../src/shared/result.ts';
import { rulesOf, shippedWeights } from './rules.ts';
import { abrRules } from '../src/abr/registry.ts';
import { playedRules } from '../cli/options.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'pitwall-rules-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const weights = path.join(folder, 'odd:name.json');
writeFileSync(weights, 'good');

const plain: Rule = {
  id: 'plain',
  label: 'Plain',
  paper: 'none: made for this test',
  parameters: {},
  start: () => null,
  observe: () => null,
  decide: () => ({ rung: 0, because: 'So.' }),
};
const net: Rule = {
  ...plain,
  id: 'net',
  parameters: { hidden: 128 },
  tuned: (changes) => ({ ...net, parameters: { ...net.parameters, ...changes } }),
  withWeights: (text) =>
    Promise.resolve(text === 'good' ? ok({ ...plain, id: 'net' }) : failed('it is not good.')),
};
const known = [plain, net];

describe('rules of the command line', () => {
  it('come in the order in which they were asked for, with their weights', async () => {
    const rules = await rulesOf([`net:hidden=64:weights=${weights}`, 'plain'], known);
    expect(rules.ok && rules.value.map(({ id, withWeights }) => [id, withWeights === undefined])).toEqual([
      ['net', true],
      ['plain', true],
    ]);
  });

  it.each([
    [[], 'Name at least one rule: plain, net.'],
    [['plain', 'magic'], 'Unknown rule "magic"; known: plain, net.'],
    [['net'], 'The rule net needs weights: write net:weights=FILE.'],
    [['net:weights='], 'The rule net needs weights: write net:weights=FILE.'],
    [['net:weights=gone'], 'The weights gone cannot be read (ENOENT).'],
    [['plain:weights=gone'], 'The rule plain takes no weights.'],
    [['plain:a=1'], 'The rule plain has no parameters to set.'],
    [
      ['dashjs-dynamic'],
      'The rule dashjs-dynamic is a part of dash.js and decides only in a browser: it cannot be simulated or replayed. The rule dynamic is our own version of it.',
    ],
    [
      ['dashjs-bola'],
      'The rule dashjs-bola is a part of dash.js and decides only in a browser: it cannot be simulated or replayed.',
    ],
  ])('%j is wrong in one sentence', async (texts, error) => {
    expect(await rulesOf(texts, known)).toEqual({ ok: false, error });
  });

  it('say what is wrong with the weights, and in which file', async () => {
    const bad = path.join(folder, 'bad.json');
    writeFileSync(bad, 'bad');
    expect(await rulesOf([`net:weights=${bad}`], known)).toEqual({
      ok: false,
      error: `The weights ${bad} cannot be used by net: it is not good.`,
    });
  });
});

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
