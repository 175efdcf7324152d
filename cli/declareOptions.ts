import { Option, type Command } from 'commander';
import { wholeNumber } from './options.ts';

/** Topics of `--help`. A command shows those that it has options of, in the order in which it adds them. */
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

type Group = keyof typeof GROUPS;

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

/** Rules by which the text after an option becomes a value. */
interface About {
  /** Smallest value of an option that takes a whole number. */
  readonly min?: number;
  /** Reads an option that takes no whole number; `before` is the value of an earlier occurrence or of the preset. */
  readonly parse?: (text: string, before: never) => unknown;
  readonly choices?: readonly string[];
  readonly preset?: unknown;
  /** Preset in words for the help; absent: the help shows the value of the preset. */
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

/** Returns the ids of a registry, for a text or as choices. */
export const idsOf = (entries: readonly { readonly id: string }[]): string[] => entries.map(({ id }) => id);
