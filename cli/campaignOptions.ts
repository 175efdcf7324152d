import { Option, type Command } from 'commander';
import { metricList, shardOf, positiveNumber, wholeNumber } from './options.ts';
import { CodedError, EXIT } from '../node/exitCodes.ts';
import type { Metric } from '../src/analysis/metrics/metric.ts';

/** The options of every command that plays a campaign file. `prefix` stands before each text: `with a campaign: `. */
export const withCampaignOptions = (command: Command, prefix = ''): Command =>
  command
    .option(
      '--dry-run',
      `${prefix}print its sessions, its duration and whether it has enough pairs for a verdict`,
    )
    .option(
      '--spread <sd>',
      `${prefix}for --dry-run: the standard deviation of the difference of a pair, in the unit of the margin or in %; it then prints the chance to find the margin`,
      positiveNumber('--spread'),
    )
    .option('--table', `${prefix}only print the table of the logs in --out`)
    .option('--simulate', `${prefix}play it in the player model of the simulator instead of the lab`)
    .option('--again', `${prefix}also repeat pairs with a session that was invalidated by host overload`)
    .option(
      '--block <k>',
      `${prefix === '' ? '' : 'with a campaign that has blocks: '}play only block k, from 1`,
      wholeNumber('--block', { min: 1 }),
    )
    .option('--list-pairs', `${prefix}only print its pairs, a line each: place, tab, id`)
    .option(
      '--pair <pair>',
      `${prefix}play only this pair, by its id or its place in --list-pairs (docs/campaign-runs.md)`,
    )
    .option('--long', `${prefix}start even if it takes a week or more`);

/** The options of how a run in browsers goes and what it prints. */
export const withRunOptions = (
  command: Command,
  { out, columns }: { out: string; columns: readonly Metric[] },
): Command =>
  command
    .option('--out <dir>', `folder for the logs (default: ${out})`)
    .option(
      '--workers <n>',
      'sessions (of a campaign: pairs) that play at the same time; they disturb each other. With --rows: threads (default: one for each core)',
      wholeNumber('--workers', { min: 1 }),
      1,
    )
    .option(
      '--shard <i/n>',
      'play only part i of n of the sessions (a shard of Playwright; with --rows: of the chunks)',
      shardOf,
    )
    .addOption(
      new Option(
        '--metrics <ids>',
        'columns of the table: metrics, comma-separated, or all (docs/metrics.md)',
      )
        .argParser(metricList)
        .default(columns, columns.map(({ id }) => id).join(', ')),
    )
    .addOption(trustOption())
    .option('--keep-netlog', 'keep the full NetLog of each browser, compressed, beside its session log')
    .option('--devtools', 'also record every race with DevTools; costs the machine half as much work again');

/** Of every command whose sessions may be played from somebody's own server. */
export const trustOption = (): Option =>
  new Option(
    '--trust <file>',
    'certificates in PEM that browsers and probes trust beside the public ones: that of a server with a private one',
  );

/** A pair is whole: what divides a campaign otherwise, or plays several at once, does not go with it. */
const NOT_OF_A_PAIR = ['shard', 'block', 'workers', 'dryRun', 'table'];

/** @throws CodedError in one sentence about an option that does not go with `--pair` */
export function refuseBesidePair(command: Command, pair: string | undefined): void {
  const other = NOT_OF_A_PAIR.find((name) => command.getOptionValueSource(name) === 'cli');
  if (pair !== undefined && other !== undefined)
    throw new CodedError(
      EXIT.usage,
      `--pair cannot be combined with --${flagOf(other)}: it plays one pair whole.`,
    );
}

/** `dryRun` is asked for as `dry-run`. */
export const flagOf = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
