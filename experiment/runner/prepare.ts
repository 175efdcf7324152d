import { campaignMounts, type CampaignMounts } from './campaignMounts.ts';
import type { ComparePlan } from '../session/plan.ts';
import { trustedBy, type Trusted } from '../../node/trust.ts';
import { buildPages, keepOwnPage } from '../resolve/pages/pages.ts';
import type { Resolved } from '../resolve/resolve.ts';
import path from 'node:path';
import { mkdirSync } from 'node:fs';
import type { GivenWeights } from '../resolve/weights.ts';
import { writeAtomically } from '../../node/files.ts';

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

/**
 * Writes what rules are made of into the folder of the logs, as `weights/<SHA-256>.json` or `rules/<SHA-256>/NAME.js`: what
 * was hashed is what plays, and it stays beside what came of it. @throws Error in one sentence where it cannot be written
 */
export function keepWeights(given: readonly GivenWeights[], outDir: string): Pick<ComparePlan, 'weights'> {
  if (given.length === 0) return {};
  const weights = given.map(({ rule, spec, sha256, text, own }) => {
    const place = own
      ? path.join('rules', sha256, own.name.replace(/\.m?[jt]s$/, '.js'))
      : path.join('weights', `${sha256}.json`);
    const file = path.join(outDir, place);
    mkdirSync(path.dirname(file), { recursive: true });
    writeAtomically(file, text);
    return [rule, { spec, file, ...(own && { own: { name: own.name, sha256 } }) }] as const;
  });
  return { weights: Object.fromEntries(weights) };
}
