import type { Command } from 'commander';
import { minutesOf } from './gate.ts';
import { listOf, wholeNumber } from './options.ts';
import type { Shell } from './shell.ts';
import type { BenchOptions, ExtraOptions } from '../bench/bench.ts';
import { benches } from '../bench/registry.ts';
import type { Entry } from '../src/shared/registry.ts';

export function addBench(program: Command, shell: Shell): void {
  const bench = program
    .command('bench')
    .description('measure speed, memory and size')
    // Some take many minutes: what is there is shown, and one is chosen.
    .action(() => bench.outputHelp());
  for (const { id, label, sections, options = [], run } of benches) {
    const command = bench
      .command(id)
      .description(label)
      .option('--json <file>', 'also write the measured values to this file, as JSON')
      .option('--quick', 'run fewer and shorter repetitions: checks that the benchmark runs, not how fast');
    if (sections) addOnly(command, sections);
    for (const option of options) EXTRA[option](command);
    command.action(async (given: Omit<BenchOptions, 'root'>) =>
      shell.exit(await run({ root: shell.root, ...given })),
    );
  }
}

function addOnly(command: Command, sections: readonly Entry[]): void {
  const ids = sections.map(({ id }) => id).join(', ');
  command.option('--only <ids>', `only these sections, comma-separated: ${ids}`, listOf('section', sections));
}

/** Options that some benches have. */
const EXTRA: Readonly<Record<keyof ExtraOptions, (command: Command) => Command>> = {
  out: (command) =>
    command.option('--out <dir>', 'folder for all results; the same command continues what is in it'),
  file: (command) => command.option('--file <gate.json>', 'gate file of every gate (docs/gate.md)'),
  minutes: (command) => command.option('--minutes <n>', 'budget of each gate', minutesOf),
  workers: (command) =>
    command.option(
      '--workers <n>',
      'pairs that play at the same time; they disturb each other',
      wholeNumber('--workers', { min: 1 }),
    ),
  aa: (command) =>
    command.option('--aa <n>', 'gates that compare a build with itself', wholeNumber('--aa', { min: 0 })),
  pairs: (command) => command.option('--pairs <file>', 'a table of sessions whose A/A pairs count, too'),
};
