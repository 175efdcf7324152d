import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { policyOf, steeringPolicies } from './registry.ts';

const text = readFileSync(path.join(import.meta.dirname, '../../docs/steering.md'), 'utf8');

test.each(steeringPolicies.map((policy) => [policy.id, policy] as const))(
  'docs/steering.md has a row for %s, with its parameters and defaults',
  (id, { parameters }) => {
    const row = text.split('\n').find((line) => line.startsWith(`| \`${id}\` `));
    expect(row).toBeDefined();
    for (const [name, value] of Object.entries(parameters)) expect(row).toContain(`\`${name}\` ${value}`);
  },
);

test('the page offers texts that mean a policy', () => {
  const page = readFileSync(path.join(import.meta.dirname, '../../index.html'), 'utf8');
  const [, list = ''] = /<datalist id="steering-policies">([^]*?)<\/datalist>/.exec(page) ?? [];
  const texts = [...list.matchAll(/value="([^"]+)"/g)].map(([, text]) => text!);
  expect(texts.length).toBeGreaterThan(3);
  for (const text of texts) expect(policyOf(text)).toMatchObject({ ok: true });
});
