import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { AGGREGATE_SCHEMA, type Aggregate } from '../results/aggregate.ts';
import type { Paper, PaperCampaign } from '../paperCampaign.ts';
import { paperPage, type Reproduction, marked } from './paperPage.ts';
import { papers } from '../papers.ts';
import { readPaperCampaign } from '../readPaperCampaign.ts';
import { readText, writeAtomically } from '../../../node/files.ts';
import { claimCounts } from './formatResults.ts';
import { formatFindings } from './formatFindings.ts';
import { formatPlayedAgain } from './formatPlayedAgain.ts';
import { formatRescored } from './formatRescored.ts';
import { formatDuration } from '../../../experiment/design/campaignDuration.ts';
import path from 'node:path';
import { campaignFiles, runName, resultsFile } from '../campaignFiles.ts';

const pageFile = (root: string, paper: string): string =>
  path.join(root, 'research', 'papers', `${paper}.md`);

/** Writes the results of all papers anew into their pages. Resolves to the pages that changed. @throws Error in one sentence */
export async function writePages(root: string): Promise<string[]> {
  const changed: string[] = [];
  for (const [file, after] of await formatPages(root)) {
    if (after === (await readText(file))) continue;
    writeAtomically(file, after);
    changed.push(file);
  }
  return changed;
}

/** By file: the papers' pages, and before them the overview and the page of all verdicts, as the committed results make them. */
export async function formatPages(root: string): Promise<ReadonlyMap<string, string>> {
  const found = await Promise.all(
    papers.map(async (paper) => [paper, await reproductionsOf(root, paper)] as const),
  );
  const [overview, rescored] = [pageFile(root, 'README'), pageFile(root, 'rescored')];
  const first = marked(await readText(overview), 'all findings', await formatFindings(root, found));
  const texts = new Map([[overview, marked(first, 'all papers', formatOverview(found))]]);
  const all = found.flatMap(([, each]) => each);
  const text = marked(await readText(rescored), 'all verdicts', formatRescored(all));
  texts.set(rescored, marked(text, 'what was played again', formatPlayedAgain(all)));
  for (const [paper, reproductions] of found) {
    const file = pageFile(root, paper.id);
    texts.set(file, paperPage(await readText(file), reproductions));
  }
  return texts;
}

const reproductionsOf = (root: string, { campaigns }: Paper): Promise<Reproduction[]> =>
  Promise.all(campaigns.map((each) => reproductionOf(root, each)));

export async function reproductionOf(root: string, campaign: PaperCampaign): Promise<Reproduction> {
  const files = campaignFiles(root, campaign);
  return {
    campaign,
    scaled: await readPaperCampaign(files.scaled),
    full: await readPaperCampaign(files.full),
    results: {
      scaled: await aggregateIn(resultsFile(root, runName(campaign.id, false), 'json')),
      full: await aggregateIn(resultsFile(root, runName(campaign.id, true), 'json')),
    },
  };
}

/** null where there is none. @throws Error in one sentence */
async function aggregateIn(file: string): Promise<Aggregate | null> {
  if (!existsSync(file)) return null;
  const aggregate = JSON.parse(await readFile(file, 'utf8')) as Partial<Aggregate>;
  if (aggregate.schema !== AGGREGATE_SCHEMA)
    throw new Error(`${file}: The results have another version. Run pitwall papers aggregate to write them.`);
  return aggregate as Aggregate;
}

/** Every campaign of every paper in a line: what of it has been played, and how many of the paper's claims came out. */
export const formatOverview = (found: readonly (readonly [Paper, readonly Reproduction[]])[]): string =>
  [HEAD, RULE, ...found.flatMap(([paper, all]) => all.map((each) => lineOf(paper, each)))]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');

const HEAD = ['campaign', 'of the paper', 'scaled down', 'claims', 'at full length', 'claims'];
const RULE = HEAD.map(() => '---');

const lineOf = (paper: Paper, { campaign, results }: Reproduction): string[] => [
  `[${campaign.id}](${paper.id}.md)`,
  campaign.label,
  ...cellsOf(campaign, results.scaled),
  ...cellsOf(campaign, results.full),
];

function cellsOf(campaign: PaperCampaign, aggregate: Aggregate | null): [string, string] {
  if (aggregate === null) return ['not run', ''];
  const { finished, planned, used, recordedMs } = aggregate.counts;
  const count = used < finished ? `, ${used} used` : '';
  return [
    `${finished} of ${planned} sessions${count}, ${formatDuration(recordedMs)}`,
    claimCounts(campaign, aggregate),
  ];
}
