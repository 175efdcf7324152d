import path from 'node:path';
import { valueOf } from '../../src/shared/result.ts';
import { type PaddedRecipe, paddedRecipe } from '../../lab/content/padded/paddedRecipe.ts';
import type { CampaignFile } from '../design/campaignFile.ts';
import { isLive, liveContent, PADDED, paddedContent, paddedSeconds } from '../design/contents.ts';
import { envivio } from '../../src/sim/envivio.ts';
import { stat } from 'node:fs/promises';
import { videoFrom, type VideoHints } from '../simulate/videoFrom.ts';
import type { ReadFile } from '../../node/files.ts';
import type { Content } from '../../src/sim/content.ts';

/**
 * What the padded streams of a campaign are made of, by their names in its file. @throws Error in one sentence that names
 * file and place
 */
export async function paddedRecipes(
  { contents, seconds }: Pick<CampaignFile, 'contents' | 'seconds'>,
  file: string,
  read: ReadFile,
): Promise<ReadonlyMap<string, PaddedRecipe>> {
  const recipes = new Map<string, PaddedRecipe>();
  const videoOf = videosOnce(read);
  for (const [index, name] of contents.entries()) {
    const padded = paddedIn(name);
    if (padded === null) continue;
    // A live stream begins anew where the padded one ends.
    const about = { folder: path.dirname(file), seconds: isLive(name) ? 0 : seconds, videoOf };
    recipes.set(
      name,
      await recipeOf(padded, about).catch((error: Error) => {
        throw new Error(`${file}: /contents/${index}: ${error.message}`);
      }),
    );
  }
  return recipes;
}

type VideoOf = (given: string, hints: VideoHints) => Promise<Content>;

/** Reads videos, each once: an MPD is more than one file. */
function videosOnce(read: ReadFile): VideoOf {
  const videos = new Map<string, Promise<Content>>();
  return (given, hints) => {
    const key = JSON.stringify([given, hints]);
    const video = videos.get(key) ?? videoFrom(given, hints, read);
    videos.set(key, video);
    return video;
  };
}

/** The padded stream that a content is, or that it repeats. */
const paddedIn = (name: string): string | null =>
  isLive(name) ? valueOf(liveContent(name)).padded : name.startsWith(PADDED) ? name : null;

async function recipeOf(
  name: string,
  { folder, seconds, videoOf }: { folder: string; seconds: number; videoOf: VideoOf },
): Promise<PaddedRecipe> {
  const { table, segmentSeconds, audioKbps, ladderKbps } = valueOf(paddedContent(name));
  const options = {
    sizes: table === envivio.name ? table : path.resolve(folder, table),
    segment: segmentSeconds,
    seconds: paddedSeconds(seconds),
    ...(ladderKbps && { ladder: ladderKbps }),
    ...(audioKbps !== null && { audio: audioKbps }),
  };
  return paddedRecipeFrom(options, videoOf);
}

export interface PaddedOptions {
  /** What `videoFrom` reads. */
  readonly sizes: string;
  readonly ladder?: readonly number[];
  readonly segment: number;
  readonly seconds: number;
  readonly audio?: number;
}

/** Reads the table of sizes and says what the stream is to be. @throws Error in one sentence */
export async function paddedRecipeFrom(
  options: PaddedOptions,
  videoOf: VideoOf = videoFrom,
): Promise<PaddedRecipe> {
  const { sizes, ladder, segment, seconds, audio } = options;
  const falls = ladder?.findIndex((kbps, index) => kbps <= (ladder[index - 1] ?? 0)) ?? -1;
  if (falls >= 0)
    throw new Error(
      `--ladder: The bitrates must ascend, but ${ladder![falls]} follows ${ladder![falls - 1]} kbit/s.`,
    );
  // Size files do not contain their ladder; every other table has one of its own, which another may be put in place of.
  const content = await videoOf(sizes, ladder && (await isFolder(sizes)) ? { ladder } : {});
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
