import type { Aggregate } from '../results/aggregate.ts';
import { runName } from '../campaignFiles.ts';
import type { PaperCampaign } from '../paperCampaign.ts';
import { formatResults } from './formatResults.ts';
import type { CampaignFile } from '../../../experiment/design/campaignFile.ts';
import { formatDuration } from '../../../experiment/design/campaignDuration.ts';
import { sizeOf } from '../readPaperCampaign.ts';

/** What a page says of a campaign: its two files, and what is there of their results. */
export interface Reproduction {
  readonly campaign: PaperCampaign;
  readonly scaled: CampaignFile;
  readonly full: CampaignFile;
  /** By `runName`; null: not run. */
  readonly results: { readonly scaled: Aggregate | null; readonly full: Aggregate | null };
}

/** Pairs at once that two cores bear, as 10 pairs need no more rounds with 5 than with 6. */
export const WORKERS = 5;

/** The page of a paper with its results written anew between their marks. @throws Error in one sentence where a mark is missing */
export const paperPage = (text: string, reproductions: readonly Reproduction[]): string =>
  reproductions.reduce(
    (page, reproduction) => marked(page, reproduction.campaign.id, formatReproduction(reproduction)),
    text,
  );

const formatReproduction = (reproduction: Reproduction): string =>
  (['scaled', 'full'] as const).map((size) => formatPart(reproduction, size)).join('\n\n');

function formatPart({ campaign, results, ...files }: Reproduction, size: 'scaled' | 'full'): string {
  const file = files[size];
  const isFull = size === 'full';
  const found = results[size];
  const heading = isFull ? 'At full length' : 'Scaled down';
  const command = `npx pitwall papers run ${campaign.id}${isFull ? ' --full' : ''}`;
  const planned = `${formatPlanned(file)}: \`${command}\``;
  return found === null
    ? `${heading}: **not run**. ${planned}.`
    : `${heading}: ${planned}; every session with all its metrics is in [${runName(campaign.id, isFull)}.csv](../../campaigns/results/${runName(campaign.id, isFull)}.csv).\n\n${formatResults(campaign, found)}`;
}

function formatPlanned(file: CampaignFile): string {
  const { sessions, totalMs } = sizeOf(file, WORKERS);
  return `${sessions} sessions of ${formatDuration(file.seconds * 1000)}, ${formatDuration(totalMs)} with ${WORKERS} pairs at once`;
}

/** A text with what stands between the marks of `name` written anew; the rest is left as it is. @throws Error in one sentence where a mark is missing */
export function marked(text: string, name: string, between: string): string {
  const [begin, end] = [`<!-- results of ${name} -->`, `<!-- end of ${name} -->`];
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`The page has no marks for ${name}: "${begin}" and "${end}".`);
  return `${text.slice(0, from)}${begin}\n${IGNORED[0]}\n\n${between}\n\n${IGNORED[1]}\n${text.slice(to)}`;
}

/** For Prettier: tables that a program wrote stay as they are. */
const IGNORED = ['<!-- prettier-ignore-start -->', '<!-- prettier-ignore-end -->'] as const;
