import { Command } from 'commander';
import { expect, test } from 'vitest';
import { COMMANDS } from './main.ts';
import { CHECKOUT_ONLY, PACKAGED } from './packaged.ts';
import type { AddCommand } from './runCommandLine.ts';

test('the npm package has every command, but those that work on a checkout', () => {
  const wanted = namesOf(COMMANDS).filter((name) => !CHECKOUT_ONLY.includes(name));
  expect(namesOf(PACKAGED)).toEqual(['setup', ...wanted]);
});

test('a command that works on a checkout is one of the command line', () => {
  expect(namesOf(COMMANDS)).toEqual(expect.arrayContaining([...CHECKOUT_ONLY]));
});

function namesOf(commands: readonly AddCommand[]): string[] {
  const program = new Command();
  for (const add of commands) add(program, { root: '/nowhere', exit: () => undefined });
  return program.commands.map((command) => command.name());
}
