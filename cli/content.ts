import type { Command } from 'commander';
import { type PaddedOptions, paddedRecipeFrom } from '../experiment/resolve/contents.ts';
import { print } from '../node/print.ts';
import { option, withOptions } from './declareOptions.ts';
import { audio, ladder } from './sharedOptions.ts';
import type { Shell } from './shell.ts';
import { makeContent } from '../lab/content/makeContent.ts';
import { meanKbps, type PaddedRecipe } from '../lab/content/padded/paddedRecipe.ts';
import { makePaddedStream } from '../lab/content/padded/paddedStream.ts';
import { requireTool } from '../lab/tools.ts';

export function addContent(program: Command, shell: Shell): void {
  void shell;
  const command = program
    .command('content')
    .description(
      'make streams in the cache: the demo and the test streams (as the set-up does), or a long padded stream',
    );
  withOptions(
    command,
    'stream',
    option(
      '--sizes <video>',
      'make a padded stream with these segment sizes: envivio, a folder of size files, a Sabre movie, or an MPD',
    ),
    ladder('bitrates in kbit/s, ascending: another ladder (for a folder of size files: its own ladder)'),
    option('--segment <s>', 'segment duration', { min: 1, preset: 4 }),
    option('--seconds <s>', 'stream duration', { min: 1, preset: 600 }),
    audio('bitrate of an audio track (default: no audio)', 6),
  )
    .addHelpText(
      'after',
      `
A padded stream has small pictures in segments that are filled up to real sizes; transports and rules see only the sizes.
With another segment duration or another ladder, the sizes are scaled in proportion.

Examples:
  pitwall content
  pitwall content --sizes envivio --segment 2
  pitwall content --sizes envivio --ladder 80,150,300 --audio 32 --seconds 2700`,
    )
    .action(async ({ sizes, ...options }: Omit<PaddedOptions, 'sizes'> & { sizes?: string }) => {
      if (sizes === undefined) await makeContent(print);
      else await makePadded({ sizes, ...options }, print);
    });
}

/** Makes a padded stream, or finds it, and says what it is and where. @throws Error in one sentence */
export async function makePadded(options: PaddedOptions, print: (line: string) => void): Promise<void> {
  const recipe = await paddedRecipeFrom(options);
  const startedMs = performance.now();
  const { folder, wasMade } = await makePaddedStream(recipe, {
    cacheFolder: requireTool('cacheFolder'),
    ffmpeg: requireTool('ffmpeg'),
    fontFile: requireTool('fontFile'),
  });
  const tookSeconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  for (const line of linesOf(recipe)) print(line);
  print(`${wasMade ? `made in ${tookSeconds} s` : 'found in the cache'}: ${folder}`);
  print(`To play it: run pitwall serve ${folder} and open the MPD /content/manifest.mpd`);
}

function linesOf(recipe: PaddedRecipe): string[] {
  const { title, segmentSeconds, video, audioKbps } = recipe;
  const count = video[0]!.sizesBytes.length;
  const means = video.map((rung) => meanKbps(recipe, rung).toFixed(0));
  return [
    `${title}: ${count} segments of ${segmentSeconds} s, ${audioKbps === null ? 'no audio' : `audio of ${audioKbps} kbit/s`}`,
    `bitrates in the MPD: ${video.map(({ bitrateKbps }) => bitrateKbps).join(', ')} kbit/s`,
    `means of the bytes:  ${means.join(', ')} kbit/s`,
  ];
}
