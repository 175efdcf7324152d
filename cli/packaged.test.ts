import { Command } from 'commander';
import { expect, test } from 'vitest';
import { COMMANDS } from './main.ts';
import { CHECKOUT_ONLY, PACKAGED } from './packaged.ts';
import type { AddCommand } from './runCommandLine.ts';

test('each command is in the npm package, or works on a checkout only', () => {
  const named = [...namesOf(PACKAGED), ...CHECKOUT_ONLY];
  expect(named.toSorted()).toEqual(['setup', ...namesOf(COMMANDS)].toSorted());
});

function namesOf(commands: readonly AddCommand[]): string[] {
  const program = new Command();
  for (const add of commands) add(program, { root: '/nowhere', exit: () => undefined });
  return program.commands.map((command) => command.name());
}
