import { leftOutReasons } from './leftOutReasons.ts';
import type { VerdictRow } from './verdicts.ts';
import { armCount, factorsOf } from '../plan/factorsOf.ts';
import type { CampaignFile } from '../plan/campaignFile.ts';
import type { Metric } from '../../src/analysis/metrics/metric.ts';
import type { Interval } from '../../src/analysis/statistics/intervals.ts';
import { formatCount, formatNumber, formatSigned } from '../../src/shared/format.ts';

/** What a comparison found, in one sentence for people; what was left out of it follows where there is any. */
export function formatVerdict(
  row: VerdictRow,
  metric: Pick<Metric, 'label' | 'unit'>,
  campaign: CampaignFile,
): string {
  const found = row.statistics ? `${formatDifference(row, metric)}: ` : '';
  return `${namesOf(row, campaign)}, ${metric.label}: ${found}${formatOutcome(row, metric, campaign)}${formatLeftOut(row)}`;
}

function namesOf({ comparison }: VerdictRow, campaign: CampaignFile): string {
  const { first, second, within, network } = comparison;
  const compared = factorsOf(campaign).find(({ field }) => field === campaign.compare);
  const isOne = armCount(campaign) === compared?.values.length;
  const common = isOne ? '' : `${campaign.compare === 'rules' ? ' over' : ' under'} ${within}`;
  return `${first} against ${second}${common}${network === null ? '' : ` on ${network}`}`;
}

/** As in "+212 kbit/s (95 % 180 to 240, won 33 of 36 pairs, p_Holm 0.0002)". */
function formatDifference({ statistics, holmP }: VerdictRow, { unit }: Pick<Metric, 'unit'>): string {
  const { mean, counts, test } = statistics!;
  const decimals = decimalsOf(mean.interval, mean.value);
  const [min, max] = mean.interval.map((end) => formatNumber(end, decimals));
  const tied = counts && counts.tied > 0 ? `, tied ${counts.tied}` : '';
  const won = counts
    ? `won ${counts.won}${tied} of ${formatCount(test.pairs, 'pair')}`
    : formatCount(test.pairs, 'pair');
  return `${formatSigned(mean.value, decimals)}${formatUnit(unit)} (95 % ${min} to ${max}, ${won}, p_Holm ${formatP(holmP!)})`;
}

function formatOutcome(row: VerdictRow, { unit }: Pick<Metric, 'unit'>, { margin }: CampaignFile): string {
  if (row.verdict === null) return `no verdict. ${row.why?.replace(/\.$/, '')}`;
  if (row.verdict !== 'cannot-tell') return row.verdict;
  const pairs = row.pairsForMargin;
  return pairs === null || pairs <= row.pairs.values.length
    ? 'cannot tell'
    : `cannot tell; some ${formatCount(pairs, 'pair')} would find ${margin}${formatUnit(unit)} with a chance of 80 %`;
}

function formatLeftOut(row: VerdictRow): string {
  const reasons = leftOutReasons(row);
  return reasons === null ? '' : `; of ${formatCount(row.pairs.planned, 'pair')} left out: ${reasons}`;
}

/** As many as show two digits of the interval's width. */
function decimalsOf([min, max]: Interval, value: number): number {
  const size = max - min || Math.abs(value);
  return size > 0 ? Math.min(6, Math.max(0, 1 - Math.floor(Math.log10(size)))) : 0;
}

const formatUnit = (unit: string): string => (unit === '%' ? ' percentage points' : unit ? ` ${unit}` : '');
const formatP = (p: number): string => (p < 0.0001 ? '< 0.0001' : String(Number(p.toPrecision(2))));
