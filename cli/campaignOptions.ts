import type { Command } from 'commander';
import { option, withOptions } from './declareOptions.ts';
import { metricList, shardOf, positiveNumber } from './options.ts';
import { again, dryRun, keepNetlog, outFolder, trust, workers } from './sharedOptions.ts';
import { runCampaign, type CampaignOptions } from '../experiment/runner/runCampaign.ts';
import { showPlan, showTable, type PlanOptions } from '../experiment/runner/showCampaign.ts';
import { CodedError, EXIT } from '../node/exitCodes.ts';
import type { Metric } from '../src/analysis/metrics/metric.ts';
import type { ClaimsOf } from '../experiment/runner/registration.ts';

/** Adds the options of every command that plays a campaign file. */
export const withCampaignOptions = (command: Command): Command =>
  withOptions(
    command,
    'campaign',
    dryRun('print its sessions, its duration and whether it has enough pairs for a verdict'),
    option(
      '--spread <sd>',
      'for --dry-run: the standard deviation of the difference of a pair, in the unit of the margin or in %; it then prints the chance to find the margin',
      { parse: positiveNumber('--spread') },
    ),
    option('--table', 'only print the table of the logs in --out'),
    option('--simulate', 'play it in the player model of the simulator instead of the lab'),
    again(),
    option('--block <k>', 'of a campaign that has blocks, play only block k, from 1', { min: 1 }),
    option('--list-pairs', 'only print its pairs, a line each: place, tab, id'),
    option(
      '--pair <pair>',
      'play only this pair, by its id or its place in --list-pairs (docs/campaign-runs.md)',
    ),
    option('--long', 'start even if it takes a week or more'),
  );

export type CommandOptions = CampaignOptions & PlanOptions & { readonly table?: boolean };

/** Shows the pairs, the plan or the table of a campaign, or plays it. Resolves to the exit code. */
export function runAsked(options: CommandOptions): Promise<number> {
  if (options.listPairs || options.dryRun) return showPlan(options);
  return options.table ? showTable(options) : runCampaign(options);
}

/** Adds the options of how a run in browsers goes and what it prints. */
export function withRunOptions(
  command: Command,
  { out, columns }: { out: string; columns: readonly Metric[] },
): Command {
  withOptions(
    command,
    'run',
    workers(
      'sessions (of a campaign: pairs) that play at the same time; they disturb each other. With --rows: threads (default: one for each core)',
      1,
    ),
    option(
      '--shard <i/n>',
      'play only part i of n of the sessions (a shard of Playwright; with --rows: of the chunks)',
      { parse: shardOf },
    ),
    trust(),
    option('--devtools', 'also record every race with DevTools; costs the machine half as much work again'),
  );
  return withOptions(
    command,
    'output',
    outFolder(`folder for the logs (default: ${out})`),
    option('--metrics <ids>', 'columns of the table: metrics, comma-separated, or all (docs/metrics.md)', {
      parse: metricList,
      preset: columns,
      presetText: columns.map(({ id }) => id).join(', '),
    }),
    keepNetlog(),
  );
}

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
const flagOf = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** Adds the options of a simulated campaign whose sessions become rows of metrics. */
export const withRowOptions = (command: Command): Command =>
  withOptions(
    command,
    'rows',
    option('--rows', 'with --simulate: keep a row of metrics of each session instead of its log'),
    option(
      '--list-chunks',
      'with --simulate: only print the chunks of pairs that --rows plays, a line each: place, tab, pairs, tab, sessions',
    ),
    option(
      '--chunk <k>',
      'with --simulate: play only chunk k of --list-chunks, as rows (docs/campaign-runs.md)',
      { min: 1 },
    ),
    option(
      '--chunk-pairs <n>',
      'with --rows, --list-chunks or --chunk: pairs of a chunk (default: as the folder was begun, else 500)',
      { min: 1 },
    ),
  );

/** By their names in commander. */
const OF_ROWS = ['rows', 'listChunks', 'chunk', 'chunkPairs'];

/** Each asks for something else. */
const ONE_OF = ['rows', 'listChunks', 'chunk'];

/** What of the lab's options a run of rows has a use for, and which of its own options they go with. */
const WITH_ROWS = ['workers', 'shard'];

/** What a simulated campaign has no use for. */
const OF_THE_LAB = ['workers', 'shard', 'long', 'again', 'block', 'pair', 'listPairs'];

/** @throws CodedError in one sentence about options that do not go with each other, or not with `--simulate` */
export function refuseBesideSimulate(command: Command, isSimulated: boolean): void {
  const isGiven = (name: string): boolean => command.getOptionValueSource(name) === 'cli';
  const refuse = (sentence: string): never => {
    throw new CodedError(EXIT.usage, sentence);
  };
  const ofRows = OF_ROWS.find(isGiven);
  if (!isSimulated) {
    if (ofRows !== undefined)
      refuse(`--${flagOf(ofRows)} needs --simulate: only simulated sessions become rows of metrics.`);
    return;
  }
  const [first, second] = ONE_OF.filter(isGiven);
  if (second !== undefined) refuse(`--${flagOf(first!)} cannot be combined with --${flagOf(second)}.`);
  if (first === undefined && ofRows !== undefined)
    refuse(`--${flagOf(ofRows)} needs --rows, --list-chunks or --chunk.`);
  const useless = OF_THE_LAB.find((name) => isGiven(name) && !(first === 'rows' && WITH_ROWS.includes(name)));
  if (useless !== undefined)
    refuse(
      WITH_ROWS.includes(useless)
        ? `--${flagOf(useless)} cannot be combined with --simulate without --rows.`
        : `--${flagOf(useless)} cannot be combined with --simulate: it is for sessions in browsers.`,
    );
}

/** The claims of papers, where `research` is; undefined where that folder was left out: then no claims are registered or compared. */
export const [claimsOf] = Object.values(
  import.meta.glob<ClaimsOf>('../research/replication/papers.ts', { eager: true, import: 'claimsOf' }),
);
