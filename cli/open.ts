import type { Command } from 'commander';
import { runOpen, type OpenOptions } from './open/runOpen.ts';
import { wholeNumber } from './options.ts';
import type { Shell } from './shell.ts';

export function addOpen(program: Command, shell: Shell): void {
  program
    .command('open')
    .description(
      'show sessions side by side in the page, until Ctrl-C: a campaign, or 2 to 20 logs (docs/compare-view.md)',
    )
    .argument('<folder-or-logs...>', 'a campaign folder that "pitwall compare" wrote, or session logs')
    .option('--port <n>', 'port of the page (0: any free port)', wholeNumber('--port', { min: 0 }), 0)
    .option('--no-window', 'do not open a browser, only print the address')
    .action((paths: string[], options: OpenOptions) => runOpen(shell.root, paths, options));
}
