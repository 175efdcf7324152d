import { Option, type Command } from 'commander';
import type { CompareOptions } from './compare/compareOptions.ts';
import { playedRules } from './compare/playedRules.ts';
import { runCompare } from './compare/runCompare.ts';
import { listOf, streamUrl, wholeNumber } from './options.ts';
import type { Shell } from './shell.ts';
import { modes } from '../lab/browser/mode.ts';
import { playerRules as rules } from '../src/player/rules.ts';
import { presets } from '../src/player/presets.ts';

export function addCompare(program: Command, shell: Shell): void {
  program
    .command('compare')
    .description('play every rule over every transport, headless; one session log each, and a table')
    .option('--seconds <n>', 'how long each session plays', wholeNumber('--seconds', { least: 1 }), 40)
    .option(
      '--rules <ids>',
      `comma-separated, with parameters as in fixed:rung=3: ${idsOf(rules)}`,
      playedRules,
      ['dashjs-dynamic'],
    )
    .option(
      '--transports <ids>',
      `comma-separated: ${idsOf(modes)}`,
      listOf('transport', modes),
      modes.map(({ id }) => id as string),
    )
    .addOption(
      new Option('--preset <id>', 'settings of the player')
        .choices(presets.map(({ id }) => id))
        .default('experiment'),
    )
    .option(
      '--mpd <url>',
      'another origin: says first which transports it offers (default: our own demo)',
      streamUrl('--mpd'),
    )
    .option('--out <dir>', 'where the logs go (default: runs/<time>)')
    .option(
      '--workers <n>',
      'sessions at once; they disturb each other',
      wholeNumber('--workers', { least: 1 }),
      1,
    )
    .option('--shard <i/n>', 'only this part of the sessions, as Playwright counts them')
    .option(
      '--retries <n>',
      'tries after a failure of the laboratory',
      wholeNumber('--retries', { least: 0 }),
      0,
    )
    .addHelpText(
      'after',
      `\nTransports:\n${modes.map(({ id, meaning }) => `  ${id.padEnd(10)} ${meaning}`).join('\n')}\n`,
    )
    .action(async (options: CompareOptions) => {
      shell.exit(await runCompare({ ...options, root: shell.root }));
    });
}

const idsOf = (entries: readonly { id: string }[]): string => entries.map(({ id }) => id).join(', ');
