import { paddedRecipeFrom, type PaddedOptions } from '../../experiment/run/campaign/padded.ts';
import { meanKbps, type PaddedRecipe } from '../../lab/content/padded/paddedRecipe.ts';
import { paddedStream } from '../../lab/content/padded/paddedStream.ts';
import { requireTool } from '../../lab/tools.ts';

/** Makes a padded stream, or finds it, and says what it is and where. @throws Error in one sentence */
export async function makePadded(options: PaddedOptions, print: (line: string) => void): Promise<void> {
  const recipe = await paddedRecipeFrom(options);
  const startedMs = performance.now();
  const { folder, wasMade } = await paddedStream(recipe, {
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
