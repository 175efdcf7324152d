import type { Command } from 'commander';
import { makePadded } from './content/makePadded.ts';
import type { PaddedOptions } from './content/paddedRecipeFrom.ts';
import { bitrates, wholeNumber } from './options.ts';
import type { Shell } from './shell.ts';
import { makeContent } from '../lab/content/makeContent.ts';

export function addContent(program: Command, shell: Shell): void {
  void shell;
  program
    .command('content')
    .description(
      'make streams in the cache: the demo and the test streams (as set-up does), or a long padded one',
    )
    .option(
      '--sizes <video>',
      'envivio, a folder of size files, a Sabre movie, or an MPD: a padded stream of its sizes',
    )
    .option(
      '--ladder <kbps,…>',
      'another ladder for it, ascending (of a folder of size files: its own)',
      bitrates,
    )
    .option('--segment <s>', 'length of its segments', wholeNumber('--segment', { min: 1 }), 4)
    .option('--seconds <s>', 'its length', wholeNumber('--seconds', { min: 1 }), 600)
    .option('--audio <kbps>', 'sound of so many kbit/s (default: none)', wholeNumber('--audio', { min: 6 }))
    .addHelpText(
      'after',
      `
A padded stream has small pictures in segments that are filled up to real sizes: what counts for transport and rules.
Sizes of other segments or another ladder are in proportion.

Examples:
  pitwall content
  pitwall content --sizes envivio --segment 2
  pitwall content --sizes envivio --ladder 80,150,300,600,1200 --audio 32 --seconds 2700`,
    )
    .action(async ({ sizes, ...options }: Omit<PaddedOptions, 'sizes'> & { sizes?: string }) => {
      const print = (line: string): void => void process.stdout.write(`${line}\n`);
      if (sizes === undefined) await makeContent(print);
      else await makePadded({ sizes, ...options }, print);
    });
}
