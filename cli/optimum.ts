import { availableParallelism } from 'node:os';
import type { Command } from 'commander';
import { wholeNumber } from './options.ts';
import { withSceneOptions } from './sceneOptions.ts';
import { runOptimum, type OptimumOptions } from './optimum/runOptimum.ts';
import type { Shell } from './shell.ts';

export function addOptimum(program: Command, shell: Shell): void {
  const command = program
    .command('optimum')
    .description('the best that anybody who knew the future could do on each trace, in the chunk model');
  withSceneOptions(command)
    .option(
      '--anchors <file>',
      'known figures to hold against: trace,opt_feasible_lower,opt_optimistic_upper',
    )
    .option('--json <file>', 'also write the results, one object per trace, with the rungs')
    .option('--jobs <n>', 'worker threads', wholeNumber('--jobs', { min: 1 }), availableParallelism())
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
