import path from 'node:path';
import { stat } from 'node:fs/promises';
import { valueOf } from '../../src/shared/result.ts';
import { type PaddedRecipe, paddedRecipe } from '../../lab/content/padded/paddedRecipe.ts';
import type { CampaignFile } from '../design/campaignFile.ts';
import type { MadeContent } from '../design/plan.ts';
import { demoRecipe, liveRecipe } from '../../lab/content/ladder.ts';
import { liveFolder } from '../../lab/content/liveStream.ts';
import { paddedFolder } from '../../lab/content/padded/paddedStream.ts';
import { isLive, liveContent, PADDED, paddedContent, paddedSeconds } from '../design/contents.ts';
import { envivio } from '../../src/sim/envivio.ts';
import { videoFrom, type VideoHints } from '../simulate/videoFrom.ts';
import type { ReadFile } from '../../node/files.ts';
import type { Content } from '../../src/sim/content.ts';
import { pickedRule } from '../../src/player/rules.ts';
import { splitWeights } from '../../src/abr/ruleText.ts';
import { formatCount } from '../../src/shared/format.ts';

/** The streams of a campaign. */
export interface ReadContents {
  /** What padded streams are made of, by the content's name. */
  readonly recipes: ReadonlyMap<string, PaddedRecipe>;
  /** Streams that are made; what is there already, the demo and streams elsewhere, is not in it. */
  readonly made: readonly MadeContent[];
  /** Ladders that are known before play. That of a content elsewhere is known when it plays. */
  readonly ladders: readonly KnownLadder[];
}

/** Reads what a campaign says of its contents. @throws Error in one sentence that names file and place */
export async function readContents(
  { contents, seconds }: Pick<CampaignFile, 'contents' | 'seconds'>,
  file: string,
  read: ReadFile,
): Promise<ReadContents> {
  const recipes = new Map<string, PaddedRecipe>();
  const made: MadeContent[] = [];
  const videoOf = videosOnce(read);
  for (const [index, name] of contents.entries()) {
    const live = isLive(name) ? valueOf(liveContent(name)) : null;
    const kind = live && ({ live: live.isLowLatency ? 'low-latency' : 'whole-segments' } as const);
    const padded = live ? live.padded : name.startsWith(PADDED) ? name : null;
    if (padded !== null) {
      // A live stream begins anew where the padded one ends.
      const about = { folder: path.dirname(file), seconds: live ? 0 : seconds, videoOf };
      const recipe = await recipeOf(padded, about).catch((error: Error) => {
        throw new Error(`${file}: /contents/${index}: ${error.message}`);
      });
      recipes.set(name, recipe);
      made.push({ ...paddedFacts(name, recipe), ...kind });
    } else if (kind) made.push({ ...liveTestFacts(name), ...kind });
  }
  const ladders = made.map(({ name, ladderKbps }) => ({ name, levels: ladderKbps.length }));
  const demo = contents.includes('demo') ? [{ name: 'demo', levels: demoRecipe.video.length }] : [];
  return { recipes, made, ladders: [...demo, ...ladders] };
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

const paddedFacts = (name: string, recipe: PaddedRecipe): MadeContent => ({
  name,
  folder: path.basename(paddedFolder(recipe, '')),
  segments: recipe.video[0]!.sizesBytes.length,
  segmentSeconds: recipe.segmentSeconds,
  ladderKbps: recipe.video.map(({ bitrateKbps }) => bitrateKbps),
  audioKbps: recipe.audioKbps,
});

const liveTestFacts = (name: string): MadeContent => ({
  name,
  folder: path.basename(liveFolder('')),
  segments: liveRecipe.segments,
  segmentSeconds: liveRecipe.segmentSeconds,
  ladderKbps: liveRecipe.video.map(({ bitrateKbps }) => bitrateKbps),
  audioKbps: liveRecipe.audio[0]?.bitrateKbps ?? null,
});

/** A stream whose ladder is known before it is played. */
interface KnownLadder {
  readonly name: string;
  readonly levels: number;
}

/**
 * Why a rule cannot play what its text says: `fixed` asks for a level that a stream lacks, and would play the highest one
 * instead. One sentence; null: it can. Levels count from 1.
 */
export function levelFault(texts: readonly string[], ladders: readonly KnownLadder[]): string | null {
  for (const text of texts) {
    const level = fixedLevel(text);
    const lacking = ladders.find(({ levels }) => level !== null && level > levels);
    if (lacking)
      return `${text} asks for level ${level}, but ${lacking.name} has ${formatCount(lacking.levels, 'level')}.`;
  }
  return null;
}

function fixedLevel(text: string): number | null {
  const picked = pickedRule(splitWeights(text).spec);
  if (!picked.ok || picked.value.id !== 'fixed') return null;
  const level = picked.value.rule?.parameters['level'];
  return typeof level === 'number' ? level : null;
}
