import { availableParallelism } from 'node:os';
import type { Command } from 'commander';
import { wholeNumber } from './options.ts';
import { withSceneOptions } from './sceneOptions.ts';
import { runOptimum, type OptimumOptions } from './optimum/runOptimum.ts';
import type { Shell } from './shell.ts';

export function addOptimum(program: Command, shell: Shell): void {
  const command = program
    .command('optimum')
    .description(
      'compute the best possible QoE on each trace, with all future rates known, in the chunk model',
    );
  withSceneOptions(command)
    .option(
      '--anchors <file>',
      'CSV of known optima to compare with: trace,opt_feasible_lower,opt_optimistic_upper',
    )
    .option('--json <file>', 'also write the results to this file, one object per trace, with the levels')
    .option(
      '--jobs <n>',
      'number of worker threads',
      wholeNumber('--jobs', { min: 1 }),
      availableParallelism(),
    )
    .addHelpText(
      'after',
      `
QoE is summed over all segments except the first, whose level is fixed. The policy can be played: the chunk model gives
exactly this QoE for its levels. No policy exceeds the bound.

With --anchors the exit code is 1 when a policy is more than 0.05 below a known one, or a bound more than 0.05 above.

Examples:
  pitwall optimum --traces my-traces
  pitwall optimum --traces my-traces --qoe log --json optima.json`,
    )
    .action(async (options: OptimumOptions) => shell.exit(await runOptimum(options)));
}
