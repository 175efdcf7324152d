import type { Metric } from '../../analysis/metrics/metric.ts';
import { armCount, factorsOf } from '../../../experiment/plan/factorsOf.ts';
import type { CampaignPlan } from '../../../experiment/plan/plan.ts';
import type { VerdictRow } from '../../../experiment/verdict/verdicts.ts';
import { leftOutReasons } from '../../../experiment/verdict/leftOutReasons.ts';
import { formatCount, formatSigned } from '../../shared/format.ts';
import { decimalsOf, formatP, formatUnit } from '../format.ts';

interface About {
  readonly plan: CampaignPlan;
  readonly metric: Pick<Metric, 'label' | 'unit' | 'better'>;
}

/** As in "h3-racing loses 212 kbit/s of mean bitrate to h2 on dvl, 95 % interval −240 to −180, won 3 of 36 pairs, p_Holm = 0.0002." */
export function formatJudgement(row: VerdictRow, about: About): string {
  const numbers = numbersOf(row, about);
  const place = placeOf(row, about.plan);
  if (row.verdict === null) {
    const rest = numbers === null ? '' : ` So far: ${numbers}.`;
    const { first, second } = row.comparison;
    return `No verdict on ${first} against ${second}${place}. ${row.why ?? ''}${rest}`;
  }
  return `${claimOf(row, about)}${place}${numbers === null ? '' : `, ${numbers}`}.${needed(row, about)}`;
}

function claimOf({ comparison, verdict, statistics }: VerdictRow, { plan, metric }: About): string {
  const { first, second } = comparison;
  const { label, better } = metric;
  const amount = amountOf(statistics, metric);
  if (verdict === 'equivalent')
    return `${first} and ${second} are equivalent in ${label}, within ± ${plan.campaign.margin}${formatUnit(metric.unit)}`;
  if (verdict === 'cannot-tell') return `${first} cannot be distinguished from ${second} in ${label}`;
  if (better === 'lower')
    return `${first} has ${amount} ${verdict === 'worse' ? 'more' : 'less'} ${label} than ${second}`;
  return verdict === 'worse'
    ? `${first} loses ${amount} of ${label} to ${second}`
    : `${first} gains ${amount} of ${label} on ${second}`;
}

const amountOf = (statistics: VerdictRow['statistics'], { unit }: About['metric']): string => {
  if (!statistics) return '';
  const { value, interval } = statistics.mean;
  return `${Math.abs(value).toFixed(decimalsOf(interval, value))}${formatUnit(unit)}`;
};

/** Difference, interval, pairs and p; the difference only where the claim has not said it. */
function numbersOf({ statistics, holmP, verdict }: VerdictRow, { metric }: About): string | null {
  if (!statistics) return null;
  const { mean, counts, test } = statistics;
  const decimals = decimalsOf(mean.interval, mean.value);
  const [min, max] = mean.interval.map((end) => formatSigned(end, decimals));
  const saysIt = verdict === 'better' || verdict === 'worse';
  const difference = saysIt
    ? ''
    : `difference ${formatSigned(mean.value, decimals)}${formatUnit(metric.unit)}, `;
  // One pair has no spread, so an interval of it would look sure.
  const interval =
    test.pairs < 2 ? '' : `95 % interval ${min} to ${max}${saysIt ? formatUnit(metric.unit) : ''}, `;
  const tied = counts && counts.tied > 0 ? `, ${counts.tied} tied` : '';
  const won = counts
    ? `better in ${counts.won} of ${formatCount(test.pairs, 'pair')}${tied}`
    : formatCount(test.pairs, 'pair');
  return `${difference}${interval}${won}, p_Holm ${formatP(holmP ?? 1)}`;
}

/** Where, and what both arms have in common where there is more than one of it. */
function placeOf({ comparison }: VerdictRow, { campaign }: CampaignPlan): string {
  const { within, network } = comparison;
  const compared = factorsOf(campaign).find(({ field }) => field === campaign.compare);
  const isOne = armCount(campaign) === compared?.values.length;
  const common = isOne ? '' : ` ${campaign.compare === 'rules' ? 'over' : 'under'} ${within}`;
  return `${common}${network === null ? '' : ` on ${network}`}`;
}

/** Only for the verdict `cannot-tell`: how many pairs would find a difference that matters. */
function needed({ verdict, pairs, pairsForMargin }: VerdictRow, { plan, metric }: About): string {
  if (verdict !== 'cannot-tell' || pairsForMargin === null || pairsForMargin <= pairs.values.length)
    return '';
  return ` Some ${formatCount(pairsForMargin, 'pair')} would find a difference of ${plan.campaign.margin}${formatUnit(metric.unit)} with a probability of 80 %.`;
}

/** Which pairs a comparison is without, and why; null where it has all that were planned. */
export function formatLeftOut(row: Pick<VerdictRow, 'comparison' | 'pairs'>): string | null {
  const reasons = leftOutReasons(row);
  return reasons === null ? null : `Of ${formatCount(row.pairs.planned, 'pair')} left out: ${reasons}.`;
}
