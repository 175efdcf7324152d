import type { Command } from 'commander';
import { makePadded } from './content/makePadded.ts';
import type { PaddedOptions } from '../experiment/run/campaign/padded.ts';
import { bitrates, wholeNumber } from './options.ts';
import type { Shell } from './shell.ts';
import { makeContent } from '../lab/content/makeContent.ts';

export function addContent(program: Command, shell: Shell): void {
  void shell;
  program
    .command('content')
    .description(
      'make streams in the cache: the demo and the test streams (as the set-up does), or a long padded stream',
    )
    .option(
      '--sizes <video>',
      'make a padded stream with these segment sizes: envivio, a folder of size files, a Sabre movie, or an MPD',
    )
    .option(
      '--ladder <kbps,…>',
      'bitrates in kbit/s, ascending: another ladder (for a folder of size files: its own ladder)',
      bitrates,
    )
    .option('--segment <s>', 'segment duration', wholeNumber('--segment', { min: 1 }), 4)
    .option('--seconds <s>', 'stream duration', wholeNumber('--seconds', { min: 1 }), 600)
    .option(
      '--audio <kbps>',
      'bitrate of an audio track (default: no audio)',
      wholeNumber('--audio', { min: 6 }),
    )
    .addHelpText(
      'after',
      `
A padded stream has small pictures in segments that are filled up to real sizes; transports and rules see only the sizes.
With another segment duration or another ladder, the sizes are scaled in proportion.

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
