import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Command } from 'commander';
import { expect, test } from 'vitest';
import { COMMANDS } from './main.ts';
import { CHECKOUT_ONLY, PACKAGED } from './packaged.ts';
import type { AddCommand } from './runCommandLine.ts';

test('each command is in the npm package, or works on a checkout only', () => {
  const named = [...namesOf(PACKAGED), ...CHECKOUT_ONLY];
  expect(named.toSorted()).toEqual(['setup', ...namesOf(COMMANDS)].toSorted());
});

test('the README of the npm package says of each command what it needs', () => {
  const readme = path.join(import.meta.dirname, '..', 'packages', 'pitwall', 'README.md');
  const table = readFileSync(readme, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| `'));
  const isNamed = (name: string): boolean => table.some((line) => line.includes(`\`${name}`));
  // Set-up is what the others need.
  const named = [...namesOf(PACKAGED), ...CHECKOUT_ONLY].filter((name) => name !== 'setup');
  expect(named.filter((name) => !isNamed(name))).toEqual([]);
});

function namesOf(commands: readonly AddCommand[]): string[] {
  const program = new Command();
  for (const add of commands) add(program, { root: '/nowhere', exit: () => undefined });
  return program.commands.map((command) => command.name());
}
