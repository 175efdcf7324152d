import { FILES, transfersOf } from '../design/transferFile.ts';
import { transferFiles, VISITED_FILE } from '../../lab/content/transferFiles.ts';
import { copiesOf } from '../../src/shared/transfer.ts';
import type { LiveCell } from '../session/plan.ts';
import { lengthKnown } from '../session/lengthKnown.ts';
import type { Trusted } from '../../node/trust.ts';
import { placeIn, type Resolved } from '../resolve/resolve.ts';
import { demoMounts, present } from '../../lab/content/contentMounts.ts';
import { liveFolder } from '../../lab/content/liveStream.ts';
import type { PaddedRecipe } from '../../lab/content/padded/paddedRecipe.ts';
import { makePaddedStream } from '../../lab/content/padded/paddedStream.ts';
import { requireTool } from '../../lab/tools.ts';
import type { CampaignFile } from '../design/campaignFile.ts';
import { contentName, MPD_ADDRESS, isLive, liveContent } from '../design/contents.ts';
import { valueOf } from '../../src/shared/result.ts';

/** What an origin serves for a campaign. */
export interface CampaignMounts {
  /** Folders that are served, by URL prefix. */
  readonly mounts: Readonly<Record<string, string>>;
  /** Live streams that each session begins anew for itself, by the content's name. */
  readonly live: ReadonlyMap<string, LiveCell>;
  /** Returns the path of a content on our own origin (`/media/demo/manifest.mpd`), or its address elsewhere. */
  mpdPath(content: string): string;
}

/** The streams of a campaign, as they were resolved. */
export interface Streams extends Pick<Resolved, 'file' | 'recipes'> {
  readonly plan: { readonly campaign: Pick<CampaignFile, 'contents' | 'seconds' | 'transfers'> };
}

interface Making {
  readonly print: (line: string) => void;
  readonly trusted?: Trusted | undefined;
  /** Makes a padded stream, or finds it in the cache. Resolves to its folder. */
  readonly make?: (content: string, recipe: PaddedRecipe, print: (line: string) => void) => Promise<string>;
}

/**
 * Makes the padded streams of a campaign, or finds them in the cache, and looks whether streams elsewhere are long enough.
 *
 * @throws Error in one sentence that names file and place
 */
export async function campaignMounts(
  { file, plan: { campaign }, recipes }: Streams,
  { print, trusted, make = makeContent }: Making,
): Promise<CampaignMounts> {
  if (campaign.transfers) return filesMounts(campaign);
  const mounts: Record<string, string> = {};
  const live = new Map<string, LiveCell>();
  for (const [index, content] of campaign.contents.entries()) {
    const recipe = recipes.get(content);
    const folder = recipe && (() => make(content, recipe, print));
    const mount = async (): Promise<void> => {
      if (isLive(content)) live.set(content, await liveCell(content, folder));
      else if (folder) mounts[prefixOf(content)] = await folder();
      else if (MPD_ADDRESS.test(content)) await lengthKnown(content, campaign.seconds, { print, trusted });
      else Object.assign(mounts, demoMounts());
    };
    await mount().catch((error: Error) => {
      throw new Error(`${placeIn(file, `/contents/${index}`)}: ${error.message}`);
    });
  }
  return {
    mounts,
    live,
    mpdPath: (content) => (MPD_ADDRESS.test(content) ? content : `${prefixOf(content)}/manifest.mpd`),
  };
}

/** Makes the files that a campaign of transfers downloads. */
async function filesMounts(campaign: Pick<CampaignFile, 'transfers'>): Promise<CampaignMounts> {
  const transfers = transfersOf(campaign);
  const sizesBytes = transfers.flatMap((each) => each.sizesBytes);
  const copies = Math.max(...transfers.map(copiesOf));
  const folder = await transferFiles({ sizesBytes, copies }, requireTool('cacheFolder'));
  const prefix = prefixOf(FILES);
  return { mounts: { [prefix]: folder }, live: new Map(), mpdPath: () => `${prefix}/${VISITED_FILE}` };
}

const prefixOf = (content: string): string => `/media/${contentName(content)}`;

/** Describes a live stream. `padded` makes the padded stream that it repeats; undefined: it repeats the live test stream. */
async function liveCell(content: string, padded: (() => Promise<string>) | undefined): Promise<LiveCell> {
  const { isLowLatency, delaySeconds, windowSeconds } = valueOf(liveContent(content));
  const folder = padded
    ? await padded()
    : present(liveFolder(requireTool('cacheFolder')), 'live test stream');
  return {
    prefix: prefixOf(content),
    folder,
    isPadded: padded !== undefined,
    isLowLatency,
    ...(delaySeconds !== null && { delaySeconds }),
    ...(windowSeconds !== null && { windowSeconds }),
  };
}

/** Makes a padded stream, or finds it in the cache, and says which. Resolves to its folder. */
async function makeContent(
  content: string,
  recipe: PaddedRecipe,
  print: (line: string) => void,
): Promise<string> {
  const startedMs = performance.now();
  const { folder, wasMade } = await makePaddedStream(recipe, {
    cacheFolder: requireTool('cacheFolder'),
    ffmpeg: requireTool('ffmpeg'),
    fontFile: requireTool('fontFile'),
  });
  const tookSeconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  print(`${content}: ${wasMade ? `made in ${tookSeconds} s` : 'found in the cache'}`);
  return folder;
}
