import { availableParallelism } from 'node:os';
import type { Command } from 'commander';
import { bitrates, choice, wholeNumber } from './options.ts';
import { runOptimum, type OptimumOptions } from './optimum/runOptimum.ts';
import type { Shell } from './shell.ts';
import { traceFormats } from '../src/network/registry.ts';
import { qoeModels } from '../src/qoe.ts';

export function addOptimum(program: Command, shell: Shell): void {
  program
    .command('optimum')
    .description('the best that anybody who knew the future could do on each trace, in the chunk model')
    .requiredOption('--traces <path...>', 'trace files, folders of nothing but trace files, or profile:ID')
    .addOption(choice('--format <id>', 'format of the traces (default: found out)', traceFormats))
    .option('--video <video>', 'envivio, a folder of size files, a Sabre movie or an MPD', 'envivio')
    .option('--ladder <kbps,…>', 'bitrates of a folder of size files, ascending', bitrates)
    .option(
      '--segment-ms <ms>',
      'length of its segments (default: 4000)',
      wholeNumber('--segment-ms', { least: 1 }),
    )
    .addOption(choice('--qoe <id>', 'what a session is scored by', qoeModels).default('lin'))
    .option(
      '--anchors <file>',
      'known figures to hold against: trace,opt_feasible_lower,opt_optimistic_upper',
    )
    .option('--json <file>', 'also write the results, one object per trace, with the rungs')
    .option('--jobs <n>', 'worker threads', wholeNumber('--jobs', { least: 1 }), availableParallelism())
    .addHelpText(
      'after',
      `
QoE is summed over all segments but the first, whose rung is forced. The policy is one that can be played: the chunk
model gives exactly that for its rungs. No policy exceeds the bound.

With --anchors the exit code is 1 when a policy is more than 0.05 below a known one, or a bound more than 0.05 above.

Examples:
  pitwall optimum --traces my-traces
  pitwall optimum --traces my-traces --qoe log --json optima.json`,
    )
    .action(async (options: OptimumOptions) => shell.exit(await runOptimum(options)));
}
