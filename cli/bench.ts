import type { Command, Option } from 'commander';
import { idsOf, option, withOptions } from './declareOptions.ts';
import { listOf } from './options.ts';
import { gateFile, gateMinutes, jsonFile, outFolder, quick, workers } from './sharedOptions.ts';
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
    const command = bench.command(id).description(label);
    withOptions(
      command,
      'run',
      quick('run fewer and shorter repetitions: checks that the benchmark runs, not how fast'),
      ...(sections ? [only(sections)] : []),
      ...options.filter((name) => name !== 'out').map((name) => EXTRA[name]()),
    );
    withOptions(
      command,
      'output',
      jsonFile('also write the measured values to this file, as JSON'),
      ...(options.includes('out') ? [EXTRA.out()] : []),
    );
    command.action(async (given: Omit<BenchOptions, 'root'>) =>
      shell.exit(await run({ root: shell.root, ...given })),
    );
  }
}

const only = (sections: readonly Entry[]): Option =>
  option('--only <ids>', `only these sections, comma-separated: ${idsOf(sections).join(', ')}`, {
    parse: listOf('section', sections),
  });

/** Options that some benches have. */
const EXTRA: Readonly<Record<keyof ExtraOptions, () => Option>> = {
  out: () => outFolder('folder for all results; the same command continues what is in it'),
  file: () => gateFile('gate file of every gate (docs/gate.md)'),
  minutes: () => gateMinutes('budget of each gate'),
  workers: () => workers('pairs that play at the same time; they disturb each other'),
  aa: () => option('--aa <n>', 'gates that compare a build with itself', { min: 0 }),
  also: () => option('--also <file>', 'a table of sessions whose A/A pairs count, too'),
  beside: () =>
    option('--beside <folder>', 'another checkout that is set up: its pages play in turn with these'),
};
