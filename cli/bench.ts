import type { Command } from 'commander';
import type { Shell } from './main.ts';
import { benches } from '../bench/registry.ts';

export function addBench(program: Command, shell: Shell): void {
  const bench = program
    .command('bench')
    .description('measure speed, memory and size, side by side in one run');
  for (const { id, label, run } of benches)
    bench
      .command(id)
      .description(label)
      .option('--json <file>', 'also write the figures as JSON')
      .action(async (options: { json?: string }) => shell.exit(await run({ root: shell.root, ...options })));
}
