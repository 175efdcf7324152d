import { campaignMounts, type CampaignMounts } from './campaignMounts.ts';
import { keepWeights } from './keepWeights.ts';
import type { ComparePlan } from '../session/plan.ts';
import { trustedBy, type Trusted } from '../../node/trust.ts';
import { buildPages, keepOwnPage } from '../resolve/pages/pages.ts';
import type { Resolved } from '../resolve/resolve.ts';

/** What the sessions of a campaign play, made on this machine of what was resolved, and of nothing else. */
export interface Prepared extends CampaignMounts, Pick<ComparePlan, 'weights' | 'appFolder' | 'pages'> {
  readonly trusted?: Trusted;
}

interface Making {
  readonly root: string;
  /** The folder of the run, which keeps the weights. */
  readonly outDir: string;
  readonly print: (line: string) => void;
  /** A file of certificates in PEM that browsers and probes trust beside the public ones. */
  readonly trust?: string | undefined;
}

/**
 * Makes what sessions play. Pages come first: to encode a stream takes minutes, in which a watcher may build a page anew.
 *
 * @throws Error in one sentence, also about a page that is no longer what was resolved
 */
export async function prepare(resolved: Resolved, { root, outDir, print, trust }: Making): Promise<Prepared> {
  const trusted = await trustedBy({ trust });
  const appFolder = await keepOwnPage(root, print);
  const pages = await buildPages(resolved.pages, { root, appFolder, print });
  const contents = await campaignMounts(resolved, { print, trusted });
  return {
    ...contents,
    appFolder,
    ...keepWeights(resolved.weights, outDir),
    ...(resolved.pages.length > 0 && { pages }),
    ...(trusted && { trusted }),
  };
}
