import type { PaperCampaign } from './paperCampaign.ts';
import path from 'node:path';

/** Where campaigns of papers lie in the checkout. */
export const campaignFiles = (root: string, { id }: Pick<PaperCampaign, 'id'>) => ({
  scaled: path.join(root, CAMPAIGNS, `${id}.json`),
  full: path.join(root, CAMPAIGNS, `${id}.full.json`),
});

/** As the campaign files name themselves; folders of runs and files of results have the same name. */
export const runName = (id: string, isFull: boolean): string => (isFull ? `${id}-full` : id);

export const resultsFile = (root: string, name: string, end: 'json' | 'csv'): string =>
  path.join(root, CAMPAIGNS, 'results', `${name}.${end}`);

export const CAMPAIGNS = 'campaigns';
