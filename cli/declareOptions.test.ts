import { Command } from 'commander';
import { describe, expect, it, test } from 'vitest';
import { groupHeadings, option, optionsOf, withOptions } from './declareOptions.ts';
import { COMMANDS } from './main.ts';
import { PACKAGED } from './packaged.ts';
import type { Shell } from './shell.ts';

/** All commands with the commands below them, by their names. */
function allCommands(): Map<string, Command> {
  const program = new Command('pitwall');
  for (const add of new Set([...COMMANDS, ...PACKAGED]))
    add(program, { root: '.', exit: () => undefined } satisfies Shell);
  const found = new Map<string, Command>();
  const walk = (command: Command, path: readonly string[]): void => {
    for (const each of command.commands) {
      const names = [...path, each.name()];
      found.set(names.join(' '), each);
      walk(each, names);
    }
  };
  walk(program, []);
  return found;
}

describe('an option', () => {
  it('reads a whole number, and names itself where it is none', () => {
    const { parseArg } = option('--jobs <n>', 'threads', { min: 2 });
    expect(parseArg!('3', undefined)).toBe(3);
    expect(() => parseArg!('1', undefined)).toThrow('--jobs takes a whole number of 2 or more.');
  });

  it('has its preset, in words where they differ', () => {
    const declared = option('--rules <ids>', 'rules', { preset: ['a', 'b'], presetText: 'a, b' });
    expect([declared.defaultValue, declared.defaultValueDescription]).toEqual([['a', 'b'], 'a, b']);
  });

  it('is found by its topic', () => {
    const command = withOptions(new Command('play'), 'run', option('--jobs <n>', 'threads'));
    withOptions(command, 'output', option('--json <file>', 'values'));
    expect(optionsOf(command, ['output']).map(({ long }) => long)).toEqual(['--json']);
    expect(optionsOf(command, ['run', 'output'])).toHaveLength(2);
    expect(command.helpInformation()).toMatch(/\nRun:\n +--jobs [^]*\nOutput:\n +--json /);
  });
});

test.each([...allCommands()])('every option of %s is below a topic in its help', (_, command) => {
  const stray = command.options.filter(
    ({ helpGroupHeading = '' }) => !groupHeadings.includes(helpGroupHeading),
  );
  expect(stray.map(({ flags }) => flags)).toEqual([]);
});

/** Flags whose value is another thing in one of the commands. */
const DIFFERENT = ['--csv', '--format', '--json', '--metrics', '--out', '--rtt', '--rules', '--seconds'];

test('a flag of several commands is the same option in each, with one short form and one kind of value', () => {
  const kinds = new Map<string, Set<string>>();
  for (const { options } of allCommands().values())
    for (const { long, flags } of options) kinds.set(long!, (kinds.get(long!) ?? new Set()).add(flags));
  const different = [...kinds].filter(([, flags]) => flags.size > 1).map(([long]) => long);
  expect(different.filter((long) => !DIFFERENT.includes(long))).toEqual([]);
});
