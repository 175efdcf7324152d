import path from 'node:path';
import { paddedRecipeFrom } from './paddedRecipeFrom.ts';
import { valueOf } from '../../../src/shared/result.ts';
import type { PaddedRecipe } from '../../../lab/content/padded/paddedRecipe.ts';
import type { CampaignFile } from '../../plan/campaignFile.ts';
import { isLive, liveContent } from '../../plan/liveContent.ts';
import { PADDED, paddedContent } from '../../plan/paddedContent.ts';
import { envivio } from '../../../src/sim/envivio.ts';

/** The papers' videos are so long at least. */
const MIN_SECONDS = 600;
/** A player fills its buffer until its session ends, so the stream goes on: by more than any preset buffers. */
const RESERVE_SECONDS = 60;

/**
 * What the padded streams of a campaign are made of, by their names in its file. @throws Error in one sentence that names
 * file and place
 */
export async function paddedRecipes(
  { contents, seconds }: Pick<CampaignFile, 'contents' | 'seconds'>,
  file: string,
): Promise<ReadonlyMap<string, PaddedRecipe>> {
  const recipes = new Map<string, PaddedRecipe>();
  for (const [index, name] of contents.entries()) {
    const padded = paddedIn(name);
    if (padded === null) continue;
    // A live stream begins anew where the padded one ends.
    const about = { folder: path.dirname(file), seconds: isLive(name) ? 0 : seconds };
    recipes.set(
      name,
      await recipeOf(padded, about).catch((error: Error) => {
        throw new Error(`${file}: /contents/${index}: ${error.message}`);
      }),
    );
  }
  return recipes;
}

/** The padded stream that a content is, or that it repeats. */
const paddedIn = (name: string): string | null =>
  isLive(name) ? valueOf(liveContent(name)).padded : name.startsWith(PADDED) ? name : null;

async function recipeOf(
  name: string,
  { folder, seconds }: { folder: string; seconds: number },
): Promise<PaddedRecipe> {
  const { table, segmentSeconds, audioKbps, ladderKbps } = valueOf(paddedContent(name));
  return paddedRecipeFrom({
    sizes: table === envivio.name ? table : path.resolve(folder, table),
    segment: segmentSeconds,
    seconds: Math.max(MIN_SECONDS, seconds + RESERVE_SECONDS),
    ...(ladderKbps && { ladder: ladderKbps }),
    ...(audioKbps !== null && { audio: audioKbps }),
  });
}
