import type { CampaignFile } from '../design/campaignFile.ts';
import { networkCount, networkGroups } from '../design/networks.ts';
import { declaredComparisons } from './comparisons.ts';
import { unitOf, type Unit } from './pairs.ts';
import { minPairs, smallestHolmP } from '../../src/analysis/statistics/power.ts';

/** Whether a campaign can come to a verdict at all, whatever its sessions will show. */
interface VerdictReach {
  /** Number of tests of the primary metric: the family of Holm's correction. */
  readonly comparisons: number;
  /** Number of pairs of each comparison, when every session gives a log. */
  readonly pairs: number;
  readonly unit: Unit;
  /** Number of units of each comparison: as many as pairs, or the different networks. */
  readonly units: number;
  /** Number of units that a verdict needs. */
  readonly pairsNeeded: number;
  /** Smallest p that is possible, after Holm's correction. */
  readonly smallestP: number;
  readonly isWithinReach: boolean;
}

export function verdictReach(campaign: CampaignFile): VerdictReach {
  const { alpha, contents, repeats, seeds, per } = campaign;
  const networks = Math.max(1, networkCount(campaign));
  const comparisons = comparedPairs(campaign) * (per === 'network' ? networks : 1);
  const pairs = contents.length * repeats * seeds.length * (per === 'network' ? 1 : networks);
  const unit = unitOf(campaign);
  const units = unit === 'network' ? networkGroups(campaign).size : pairs;
  const smallestP = smallestHolmP(units, comparisons);
  return {
    comparisons,
    pairs,
    unit,
    units,
    pairsNeeded: minPairs(comparisons, alpha),
    smallestP,
    isWithinReach: smallestP < alpha,
  };
}

/** Counts what is compared two at a time, with everything else of an arm the same; once for all networks. */
const comparedPairs = (campaign: CampaignFile): number =>
  declaredComparisons({ campaign, networks: [] }).length;
