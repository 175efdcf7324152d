import { Option, type Command } from 'commander';
import { wholeNumber } from './options.ts';

/** The topics of `--help`. A command shows those that it has options of, in the order in which it adds them. */
const GROUPS = {
  sessions: 'Sessions, without a campaign file:',
  servers: 'Servers, without a campaign file:',
  campaign: 'Campaign file:',
  rows: 'Rows of a simulated campaign:',
  inputs: 'Inputs:',
  player: 'Player model:',
  stream: 'Stream:',
  trace: 'Trace:',
  run: 'Run:',
  server: 'Server:',
  instrumented: 'Instrumented origin:',
  score: 'Score of ITU-T P.1203:',
  check: 'Check:',
  setup: 'Set-up:',
  output: 'Output:',
} as const;

export type Group = keyof typeof GROUPS;

/** The headings of all topics. */
export const groupHeadings: readonly string[] = Object.values(GROUPS);

/** Adds options to a command, below their topic in its help. */
export function withOptions(command: Command, group: Group, ...options: readonly Option[]): Command {
  for (const each of options) command.addOption(each.helpGroup(GROUPS[group]));
  return command;
}

/** Returns the options that a command has below some topics. */
export function optionsOf(command: Command, groups: readonly Group[]): readonly Option[] {
  const headings: readonly (string | undefined)[] = groups.map((group) => GROUPS[group]);
  return command.options.filter(({ helpGroupHeading }) => headings.includes(helpGroupHeading));
}

/** How the text after an option becomes a value. */
interface About {
  /** Of a whole number: no smaller one is taken. */
  readonly min?: number;
  /** Of any other value; `before` is what an earlier occurrence or the preset gave. */
  readonly parse?: (text: string, before: never) => unknown;
  readonly choices?: readonly string[];
  readonly preset?: unknown;
  /** The preset in words; absent: as it is. */
  readonly presetText?: string;
}

/** Declares an option: its flags, its text in the help, and how its value is read. */
export function option(
  flags: string,
  text: string,
  { min, parse, choices, preset, presetText }: About = {},
): Option {
  const declared = new Option(flags, text);
  if (min !== undefined) declared.argParser(wholeNumber(declared.long!, { min }));
  if (parse !== undefined) declared.argParser(parse as (text: string, before: unknown) => unknown);
  if (choices !== undefined) declared.choices(choices);
  if (preset !== undefined) declared.default(preset, presetText);
  return declared;
}

/** The ids of a registry, for a text or as choices. */
export const idsOf = (entries: readonly { readonly id: string }[]): string[] => entries.map(({ id }) => id);
