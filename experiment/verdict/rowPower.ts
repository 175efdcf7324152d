import type { CampaignFile } from '../design/campaignFile.ts';
import type { Compared } from './compared.ts';
import { differencesOf, logRatiosOf } from './pairs.ts';
import { logBound, marginOf } from './margin.ts';
import { verdictReach } from './verdictReach.ts';
import {
  chanceToFind,
  detectableShift,
  MAX_SIMULATED_PAIRS,
  normalCampaigns,
  normalDetectable,
  pairsNeeded,
  shiftedDifferences,
  shiftedRatios,
  type Population,
} from '../../src/analysis/statistics/simulatedPower.ts';
import { formatCount } from '../../src/shared/format.ts';

/** What the pairs of a comparison could find, by simulation of the verdict's own decision on their differences. */
export interface RowPower {
  /** The least difference that as many pairs find with `FOUND_CHANCE`, in the metric's unit; null: not known, see `why`. */
  readonly detectable: number | null;
  /** Units that find a difference as large as the margin with that chance; null: not known, or no margin. */
  readonly pairsForMargin: number | null;
  /** The chance that goes with `detectable`: `80 %`, `at least 80 %`, `75 to 90 %`. */
  readonly chance: string;
  /** Why `detectable` is null, in a sentence; null where it is, and without a pair. */
  readonly why: string | null;
}

/** Fewer differences show too little of their own spread (research/methodology.md, "Power"). */
const MIN_UNITS = 10;
/** From so many units on what is stated is found in 80 % on average, for all noises tried; below in 75 to 90 %. */
const MIN_SURE_UNITS = 20;
/** A shift moves every pair. Where more pairs than this share do not differ, no true difference looks like one. */
const MAX_EQUAL_SHARE = 0.25;

/**
 * Formats the chance with which `units` find what they state. The simulated decision is Holm's first step, the hardest one: a comparison
 * among several is found more often, where others of them are found too.
 */
export function formatChance(units: number, comparisons: number): string {
  if (units < MIN_SURE_UNITS) return '75 to 90 %';
  return comparisons > 1 ? 'at least 80 %' : '80 %';
}

/** Simulates some thousand campaigns: 0.1 s. */
export function rowPower(campaign: CampaignFile, row: Compared): RowPower {
  const { detectable, why } = detectableIn(campaign, row);
  return {
    detectable,
    pairsForMargin: detectable === null ? null : pairsForMargin(campaign, row),
    chance: formatChance(row.pairs.values.length, verdictReach(campaign).comparisons),
    why,
  };
}

/** Simulates 400 campaigns. */
export function detectableIn(campaign: CampaignFile, row: Compared): Pick<RowPower, 'detectable' | 'why'> {
  const { pairs, statistics } = row;
  if (!statistics) return { detectable: null, why: null };
  const differences = differencesOf(pairs.values);
  const why = whyUnstated(differences, row);
  if (why !== null) return { detectable: null, why };
  const alpha = campaign.alpha / verdictReach(campaign).comparisons;
  const detectable = detectableShift(differences, { pairs: differences.length, alpha });
  const units = formatCount(differences.length, pairs.unit);
  return {
    detectable,
    why: detectable === null ? `${units} with such differences find no size with a chance of 80 %.` : null,
  };
}

function whyUnstated(differences: readonly number[], { pairs: { unit } }: Compared): string | null {
  const units = differences.length;
  if (units < MIN_UNITS)
    return `What ${formatCount(units, unit)} can find is not known: at least ${MIN_UNITS} differences are needed to see how they spread.`;
  const equal = differences.filter((each) => each === 0).length;
  return equal > MAX_EQUAL_SHARE * units
    ? `What these ${unit}s can find is not known: ${equal} of ${units} do not differ.`
    : null;
}

function pairsForMargin(campaign: CampaignFile, { pairs: { values } }: Compared): number | null {
  const { comparisons, pairsNeeded: min } = verdictReach(campaign);
  const { value, isPercent } = marginOf(campaign);
  const logRatios = isPercent ? logRatiosOf(values) : null;
  if (isPercent && logRatios === null) return null;
  const population: Population =
    logRatios === null
      ? shiftedDifferences(differencesOf(values))
      : shiftedRatios(
          logRatios,
          values.map(([, second]) => second),
        );
  return pairsNeeded(population, {
    shift: isPercent ? logBound(value) : value,
    alpha: campaign.alpha / comparisons,
    min,
  });
}

/** What a planned campaign finds, where the differences of its units have a normal distribution. */
interface PlannedPower {
  /**
   * The largest standard deviation of these differences with which it finds a difference as large as its margin with a chance of 80 %: in
   * the unit of the margin, in % of ratios for a margin in %. null: it finds none, or there is no margin.
   */
  readonly maxDeviation: number | null;
  /** The chance to find a difference as large as the margin with the stated deviation; null where none is stated. */
  readonly chance: number | null;
}

/** @param deviation stated standard deviation of the differences, in the unit of the margin; null: none is stated */
export function plannedPower(campaign: CampaignFile, deviation: number | null): PlannedPower {
  const { comparisons, units } = verdictReach(campaign);
  const { value, isPercent } = marginOf(campaign);
  if (value === 0) return { maxDeviation: null, chance: null };
  const alpha = campaign.alpha / comparisons;
  const scaled = (size: number): number => (isPercent ? logBound(size) : size);
  const detectable = normalDetectable({ pairs: units, alpha });
  const widest = detectable === null ? null : scaled(value) / detectable;
  const maxDeviation = widest !== null && isPercent ? 100 * Math.expm1(widest) : widest;
  if (deviation === null) return { maxDeviation, chance: null };
  const pairs = Math.min(units, MAX_SIMULATED_PAIRS);
  const draw = normalCampaigns(scaled(deviation), isPercent ? Math.expm1 : (residual) => residual, 1);
  const shift = scaled(value) * Math.sqrt(units / pairs);
  return { maxDeviation, chance: chanceToFind(draw, shift, { pairs, alpha }) };
}
