import { stat } from 'node:fs/promises';
import { videoFrom } from '../sim/videoFrom.ts';
import { meanKbps, paddedRecipe, type PaddedRecipe } from '../../lab/content/padded/paddedRecipe.ts';
import { paddedStream } from '../../lab/content/padded/paddedStream.ts';
import { requireTool } from '../../lab/tools.ts';

export interface PaddedOptions {
  readonly sizes: string;
  readonly ladder?: readonly number[];
  readonly segment: number;
  readonly seconds: number;
  readonly audio?: number;
}

/** Makes a padded stream, or finds it, and says what it is and where. @throws Error in one sentence */
export async function makePadded(options: PaddedOptions, print: (line: string) => void): Promise<void> {
  const { sizes, ladder, segment, seconds, audio } = options;
  const falls = ladder?.findIndex((kbps, index) => kbps <= (ladder[index - 1] ?? 0)) ?? -1;
  if (falls >= 0)
    throw new Error(`--ladder: It must rise, but ${ladder![falls]} follows ${ladder![falls - 1]} kbit/s.`);
  // Size files do not tell their ladder; every other table has one of its own, which another may be put in place of.
  const content = await videoFrom(sizes, ladder && (await isFolder(sizes)) ? { ladder } : {});
  const recipe = paddedRecipe(content, {
    segmentSeconds: segment,
    seconds,
    ...(ladder && { ladderKbps: ladder }),
    ...(audio !== undefined && { audioKbps: audio }),
  });
  const startedMs = performance.now();
  const { folder, wasMade } = await paddedStream(recipe, {
    cacheFolder: requireTool('cacheFolder'),
    ffmpeg: requireTool('ffmpeg'),
    fontFile: requireTool('fontFile'),
  });
  const tookSeconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  for (const line of linesOf(recipe)) print(line);
  print(`${wasMade ? `made in ${tookSeconds} s` : 'found in the cache'}: ${folder}`);
  print(`To play it: pitwall serve ${folder}, then the MPD /content/manifest.mpd`);
}

const isFolder = (file: string): Promise<boolean> =>
  stat(file).then(
    (entry) => entry.isDirectory(),
    () => false,
  );

function linesOf(recipe: PaddedRecipe): string[] {
  const { title, segmentSeconds, video, audioKbps } = recipe;
  const count = video[0]!.sizesBytes.length;
  const means = video.map((rung) => meanKbps(recipe, rung).toFixed(0));
  return [
    `${title}: ${count} segments of ${segmentSeconds} s, ${audioKbps === null ? 'no sound' : `sound of ${audioKbps} kbit/s`}`,
    `bitrates in the MPD: ${video.map(({ bitrateKbps }) => bitrateKbps).join(', ')} kbit/s`,
    `means of the bytes:  ${means.join(', ')} kbit/s`,
  ];
}
