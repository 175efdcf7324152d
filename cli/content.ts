import type { Command } from 'commander';
import type { Shell } from './shell.ts';
import { makeContent } from '../lab/content/makeContent.ts';

export function addContent(program: Command, shell: Shell): void {
  void shell;
  program
    .command('content')
    .description('make the demo stream and the test streams in the cache (set-up does this for you)')
    .action(async () => {
      await makeContent((line) => void process.stdout.write(`${line}\n`));
    });
}
