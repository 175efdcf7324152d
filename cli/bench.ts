import type { Command } from 'commander';
import { listOf } from './options.ts';
import type { Shell } from './shell.ts';
import { benches } from '../bench/registry.ts';
import type { Entry } from '../src/shared/registry.ts';

interface Options {
  readonly json?: string;
  readonly quick?: boolean;
  readonly only?: string[];
}

export function addBench(program: Command, shell: Shell): void {
  const bench = program
    .command('bench')
    .description('measure speed, memory and size')
    // Some take many minutes: what is there is shown, and one is chosen.
    .action(() => bench.outputHelp());
  for (const { id, label, sections, run } of benches) {
    const command = bench
      .command(id)
      .description(label)
      .option('--json <file>', 'also write the measured values to this file, as JSON')
      .option('--quick', 'run fewer and shorter repetitions: checks that the benchmark runs, not how fast');
    if (sections) addOnly(command, sections);
    command.action(async (options: Options) => shell.exit(await run({ root: shell.root, ...options })));
  }
}

function addOnly(command: Command, sections: readonly Entry[]): void {
  const ids = sections.map(({ id }) => id).join(', ');
  command.option('--only <ids>', `only these sections, comma-separated: ${ids}`, listOf('section', sections));
}
