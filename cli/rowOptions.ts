import type { Command } from 'commander';
import { flagOf } from './campaignOptions.ts';
import { option, withOptions } from './declareOptions.ts';
import { CodedError, EXIT } from '../node/exitCodes.ts';

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
