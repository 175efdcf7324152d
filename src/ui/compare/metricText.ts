import type { MetricCell, MetricRow } from '../../analysis/comparison/metricRows.ts';
import { formatSigned } from '../../shared/format.ts';

/** A difference with its sign, and what it is to the viewer; "" where there is none to tell. */
export function formatDifference(
  { difference, judged }: MetricCell,
  { decimals }: Pick<MetricRow, 'decimals'>,
): string {
  if (difference === null) return '';
  const signed = formatSigned(difference, decimals);
  if (Number(signed) === 0) return 'same';
  return judged === null ? signed : `${signed} ${judged}`;
}
