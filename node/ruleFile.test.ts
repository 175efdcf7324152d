import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it, test } from 'vitest';
import { readRuleFile, ruleOfFile, nameApart, parseRule, readRequestedRule, rulesOf } from './rules.ts';
import { abrRules } from '../src/abr/registry.ts';
import { valueOf } from '../src/shared/result.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'pitwall-rule-file-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function file(name: string, text: string): string {
  const place = path.join(folder, name);
  writeFileSync(place, text);
  return place;
}

const FUNCTIONS = 'start: () => 0, observe: (state) => state';
const DECIDE = "decide: () => ({ rung: 0, because: 'So.' })";

describe('a rule file', () => {
  it('is the rule of its own id, with its name and hash among the parameters', async () => {
    const text = `export default { id: 'mine-2', ${FUNCTIONS}, ${DECIDE} };\n`;
    const rule = valueOf(ruleOfFile(valueOf(await readRuleFile(file('any.js', text)))));
    const sha256 = createHash('sha256').update(text).digest('hex');
    expect(rule).toMatchObject({ id: 'mine-2', label: 'mine-2', parameters: { file: 'any.js', sha256 } });
  });

  it('may be TypeScript, and is called by its name where it has no id', async () => {
    const text = `import type { Rule } from '@pitwall/abr';
export enum Level { Lowest }
const rule: Partial<Rule<number>> = { ${FUNCTIONS}, decide: () => ({ rung: Level.Lowest, because: 'So.' }) };
export { rule as default };
`;
    const own = valueOf(await readRuleFile(file('myRule.v2.ts', text)));
    expect(own.sha256).toBe(createHash('sha256').update(text).digest('hex'));
    expect(valueOf(ruleOfFile(own)).id).toBe('my-rule-v2');
  });

  it('takes parameters as every rule does, also in another thread', async () => {
    const example = 'docs/examples/safe-rate.js';
    const asked = valueOf(await readRequestedRule(`${example}:safety=0.5`, abrRules));
    const { name, spec, weights, own } = asked;
    expect([name, spec]).toEqual(['safe-rate:safety=0.5', 'safe-rate:safety=0.5']);
    const text = structuredClone({ name, spec, weights, own: own! });
    expect((await parseRule(text)).parameters).toMatchObject({
      safety: 0.5,
      weight: 0.4,
      file: 'safe-rate.js',
    });
  });

  it.each([
    ['no-default.js', 'export const rule = {};', 'It has no default export, which is the rule.'],
    ['empty.js', '', 'It has no default export, which is the rule.'],
    ['text.js', "export default 'rule';", 'Its default export is a string, not a rule.'],
    ['undecided.js', `export default { ${FUNCTIONS} };`, 'Its rule has no function "decide".'],
    [
      'bola.js',
      `export default { id: 'bola', ${FUNCTIONS}, ${DECIDE} };`,
      'Its id "bola" is that of a rule that comes with Pitwall: give it another one.',
    ],
    [
      'odd.js',
      `export default { id: 'Odd id', ${FUNCTIONS}, ${DECIDE} };`,
      'Its id "Odd id" is not kebab-case: write it as in "my-rule-2".',
    ],
    [
      'hash.js',
      `export default { parameters: { sha256: 'mine' }, ${FUNCTIONS}, ${DECIDE} };`,
      'Its rule has a parameter "sha256", which Pitwall writes itself.',
    ],
    [
      'imports.mjs',
      "import { mean } from './mean.js';\nexport default {};",
      'It imports "./mean.js". A rule file stands alone, so that its hash says all: bundle it into one file first.',
    ],
    ['syntax.js', 'export default {', 'It cannot be run: Unexpected end of input.'],
    ['syntax.ts', '\nconst a: = 1;', 'Line 2: Type expected.'],
    ['thrown.js', "throw new Error('at load');", 'It cannot be run: at load.'],
    [
      'throws.js',
      `export default { ${FUNCTIONS}, decide() { throw new Error('boom'); } };`,
      'Its rule failed in a trial with 3 levels, in decide: boom.',
    ],
    [
      'beyond.js',
      `export default { ${FUNCTIONS}, decide: () => ({ rung: 2, because: 'So.' }) };`,
      'Its rule failed in a trial with one level, in decide: it returned the index 2, but the levels have the indices 0 to 0.',
    ],
    [
      'nan.js',
      `export default { ${FUNCTIONS}, decide: () => ({ rung: NaN, because: 'So.' }) };`,
      'Its rule failed in a trial with 3 levels, in decide: it returned the index NaN, but the levels have the indices 0 to 2.',
    ],
    [
      'nothing.js',
      `export default { ${FUNCTIONS}, decide() {} };`,
      'Its rule failed in a trial with 3 levels, in decide: it returned no answer.',
    ],
    [
      'endless.js',
      `export default { ${FUNCTIONS}, decide() { for (;;); } };`,
      'It did not end a trial within 2 s: it may loop for ever.',
    ],
  ])('%s is refused in one sentence', { timeout: 20_000 }, async (name, text, sentence) => {
    const place = file(name, text);
    expect(await rulesOf([place])).toEqual({ ok: false, error: `${place}: ${sentence}` });
  });

  it('is refused where it is not there, or has no such parameter', async () => {
    const error = (text: string) => rulesOf([text]);
    expect(await error('./gone.ts')).toMatchObject({ error: './gone.ts: There is no such file or folder.' });
    expect(await error('docs/examples/safe-rate.js:safty=1')).toMatchObject({
      error:
        'docs/examples/safe-rate.js: The rule safe-rate has no parameter "safty"; it has safety, weight.',
    });
  });
});

test('two versions of a rule are told apart by their hashes', async () => {
  const text = readFileSync('docs/examples/safe-rate.js', 'utf8');
  const [old, now] = [file('old.js', text), file('new.js', text.replace('0.8', '0.7'))];
  const asked = await Promise.all([old, now].map((each) => readRequestedRule(each, abrRules)));
  const named = valueOf(nameApart(asked.map(valueOf)));
  expect(named.map(({ name }) => name)).toEqual(
    named.map(({ own }) => `safe-rate@${own!.sha256.slice(0, 8)}`),
  );
  const same = await Promise.all(
    [old, file('copy.js', text)].map((each) => readRequestedRule(each, abrRules)),
  );
  expect(nameApart(same.map(valueOf))).toMatchObject({ ok: false });
});
