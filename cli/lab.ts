import type { Command } from 'commander';
import { runCalibrate, type CalibrateOptions } from './lab/runCalibrate.ts';
import { wholeNumber } from './options.ts';
import type { Shell } from './shell.ts';

export function addLab(program: Command, shell: Shell): void {
  const lab = program
    .command('lab')
    .description('the emulated link of the laboratory')
    .action(() => lab.outputHelp());
  lab
    .command('calibrate')
    .description('measure rate, RTT, loss and queue of emulated links against what was asked of them')
    .option('--json <file>', 'also write every figure')
    .option('--quick', 'one link for a few seconds: shows that it works, not how well')
    .option('--seed <n>', 'of the random losses', wholeNumber('--seed', { min: 0 }), 1)
    .option('--jobs <n>', 'links measured at once', wholeNumber('--jobs', { min: 1 }), 6)
    .action(async (options: CalibrateOptions) => shell.exit(await runCalibrate(options)));
}
