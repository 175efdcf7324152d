import path from 'node:path';
import type { Command } from 'commander';
import { wholeNumber } from './options.ts';
import { aggregatePapers } from './papers/aggregatePapers.ts';
import { listText } from './papers/listText.ts';
import { WORKERS } from './papers/paperPage.ts';
import { runPapers } from './papers/runPapers.ts';
import type { Shell } from './shell.ts';

export function addPapers(program: Command, shell: Shell): void {
  const command = program
    .command('papers')
    .description('play campaigns after published papers and lay the results beside theirs (docs/papers)');
  command
    .command('list')
    .description('what can be played of which paper, how long it takes, and what has been')
    .action(async () => void process.stdout.write(`${await listText(shell.root)}\n`));
  command
    .command('run')
    .description('play them one after the other; a second start goes on where the first was cut off')
    .argument('[campaign...]', 'as "pitwall papers list" names them (default: those with a turn)')
    .option('--full', 'at full length instead of scaled down', false)
    .option('--workers <n>', 'pairs at once', wholeNumber('--workers', { min: 1 }), WORKERS)
    .option('--out <dir>', 'where the folders of runs go', 'runs')
    .option('--dry-run', 'only say how much it is', false)
    .option('--aggregate', 'after each, write its results as "pitwall papers aggregate" does', false)
    .option('--again', 'also sessions that the machine spoilt in their last try', false)
    .option('--keep-netlog', 'keep each browser’s whole NetLog beside its log, packed', false)
    .action(async (names: string[], options: RunOptions) => {
      shell.exit(await runPapers({ ...options, names, root: shell.root }));
    });
  command
    .command('aggregate')
    .description(
      'write what is kept of runs into campaigns/results, and from that the results in docs/papers',
    )
    .argument('[folder...]', 'of runs (default: all of papers that are in --out)')
    .option('--out <dir>', 'where the folders of runs are', 'runs')
    .action(async (folders: string[], { out }: { out: string }) => {
      await aggregatePapers({
        folders: folders.map((folder) => path.normalize(folder)),
        out,
        root: shell.root,
      });
    });
}

interface RunOptions {
  readonly full: boolean;
  readonly workers: number;
  readonly out: string;
  readonly dryRun: boolean;
  readonly aggregate: boolean;
  readonly again: boolean;
  readonly keepNetlog: boolean;
}
