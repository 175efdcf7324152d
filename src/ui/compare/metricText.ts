import type { MetricCell, MetricRow } from '../../analysis/comparison/metricRows.ts';

/** A value with the metric's own digits; "unknown" where the log does not tell. */
export const formatValue = (value: number | null, { decimals }: Pick<MetricRow, 'decimals'>): string =>
  value === null ? 'unknown' : minus(value.toFixed(decimals).replace(/^-(0(\.0+)?)$/, '$1'));

/** A difference with its sign, and what it is to the viewer; "" where there is none to tell. */
export function formatDifference(
  { difference, judged }: MetricCell,
  { decimals }: Pick<MetricRow, 'decimals'>,
): string {
  if (difference === null) return '';
  const digits = difference.toFixed(decimals).replace(/^-(0(\.0+)?)$/, '$1');
  if (Number(digits) === 0) return 'same';
  return `${difference > 0 ? '+' : ''}${minus(digits)}${judged === null ? '' : ` ${judged}`}`;
}

const minus = (digits: string): string => digits.replace('-', '−');
