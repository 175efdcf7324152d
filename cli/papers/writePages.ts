import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { AGGREGATE_SCHEMA, type Aggregate } from './aggregate.ts';
import { campaignFiles, pageFile, resultsFile, runName } from './campaignFiles.ts';
import type { Paper, PaperCampaign } from './paperCampaign.ts';
import { paperPage, type Reproduction } from './paperPage.ts';
import { papers } from './papers.ts';
import { readPaperCampaign } from './readPaperCampaign.ts';
import { textOf } from '../textOf.ts';
import { writeAtomically } from '../writeAtomically.ts';

/** Writes the results of all papers anew into their pages. Resolves to the pages that changed. @throws Error in one sentence */
export async function writePages(root: string): Promise<string[]> {
  const changed: string[] = [];
  for (const paper of papers) {
    const file = pageFile(root, paper.id);
    const [before, after] = [await textOf(file), await pageText(root, paper)];
    if (before === after) continue;
    writeAtomically(file, after);
    changed.push(file);
  }
  return changed;
}

/** A paper's page as its committed results make it. */
export async function pageText(root: string, paper: Paper): Promise<string> {
  const text = await textOf(pageFile(root, paper.id));
  return paperPage(text, await Promise.all(paper.campaigns.map((each) => reproductionOf(root, each))));
}

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
    throw new Error(`${file}: It holds no results of this version: pitwall papers aggregate writes them.`);
  return aggregate as Aggregate;
}
