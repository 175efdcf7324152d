import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { playerRules } from '../../src/player/rules.ts';

const text = readFileSync(path.join(import.meta.dirname, '../../docs/rules.md'), 'utf8');

test.each(playerRules)(
  'docs/rules.md has a row for $id, with its parameters and defaults',
  ({ id, rule }) => {
    const row = text.split('\n').find((line) => line.startsWith(`| \`${id}\` `));
    expect(row).toBeDefined();
    for (const [name, value] of Object.entries(rule?.parameters ?? {}))
      expect(row).toContain(`\`${name}\` ${value}`);
  },
);
