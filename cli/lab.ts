import type { Command } from 'commander';
import { runCalibrate, type CalibrateOptions } from './lab/runCalibrate.ts';
import { wholeNumber } from './options.ts';
import type { Shell } from './shell.ts';

export function addLab(program: Command, shell: Shell): void {
  const lab = program
    .command('lab')
    .description('tools for the emulated link')
    .action(() => lab.outputHelp());
  lab
    .command('calibrate')
    .description('measure rate, RTT, loss and queue of emulated links and compare them with the settings')
    .option('--json <file>', 'also write every measured value to this file')
    .option('--quick', 'measure one link for a few seconds: checks that it works, not how well')
    .option('--seed <n>', 'seed of the random losses', wholeNumber('--seed', { min: 0 }), 1)
    .option('--jobs <n>', 'links that are measured at the same time', wholeNumber('--jobs', { min: 1 }), 6)
    .action(async (options: CalibrateOptions) => shell.exit(await runCalibrate(options)));
}
