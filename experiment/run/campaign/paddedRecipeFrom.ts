import { stat } from 'node:fs/promises';
import { paddedRecipe, type PaddedRecipe } from '../../../lab/content/padded/paddedRecipe.ts';
import { videoFrom } from '../../simulate/videoFrom.ts';

export interface PaddedOptions {
  /** What `videoFrom` reads. */
  readonly sizes: string;
  readonly ladder?: readonly number[];
  readonly segment: number;
  readonly seconds: number;
  readonly audio?: number;
}

/** Reads the table of sizes and says what the stream is to be. @throws Error in one sentence */
export async function paddedRecipeFrom(options: PaddedOptions): Promise<PaddedRecipe> {
  const { sizes, ladder, segment, seconds, audio } = options;
  const falls = ladder?.findIndex((kbps, index) => kbps <= (ladder[index - 1] ?? 0)) ?? -1;
  if (falls >= 0)
    throw new Error(
      `--ladder: The bitrates must ascend, but ${ladder![falls]} follows ${ladder![falls - 1]} kbit/s.`,
    );
  // Size files do not contain their ladder; every other table has one of its own, which another may be put in place of.
  const content = await videoFrom(sizes, ladder && (await isFolder(sizes)) ? { ladder } : {});
  return paddedRecipe(content, {
    segmentSeconds: segment,
    seconds,
    ...(ladder && { ladderKbps: ladder }),
    ...(audio !== undefined && { audioKbps: audio }),
  });
}

const isFolder = (file: string): Promise<boolean> =>
  stat(file).then(
    (entry) => entry.isDirectory(),
    () => false,
  );
