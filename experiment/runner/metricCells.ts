import { metrics } from '../../src/analysis/metrics/registry.ts';
import type { Metric, Measured } from '../../src/analysis/metrics/metric.ts';

/** The columns of a table of sessions that asks for none. */
export const headlines: readonly Metric[] = metrics.filter(({ headline }) => headline !== undefined);

export const metricHead = ({ label, unit }: Metric): string => (unit ? `${label}, ${unit}` : label);

/** A measured value in a table, with its parts where the metric has some to show. */
export function metricCell(metric: Metric, measured: Measured): string {
  const { value, by } = measured;
  const parts = Object.entries(by ?? {});
  if (metric.parts === 'counts' && parts.length > 0)
    return parts.map(([name, count]) => `${count} ${name}`).join(' + ');
  if (value === null) return '–';
  const shown = `${measuredNumber(metric, measured)}${formatError(metric, measured.error)}`;
  if (metric.parts !== 'protocols' || parts.length < 2) return shown;
  return `${shown} (${parts.map(([name, part]) => `${name} ${metricNumber(metric, part)}`).join(', ')})`;
}

/** ` ± 9.02`: how far a value may be off, where an error is known. */
function formatError(metric: Metric, error: Measured['error']): string {
  if (error === undefined) return '';
  return ` ± ${error === null ? '?' : metricNumber(metric, error)}`;
}

/** A value of a metric with its decimals. */
export const metricNumber = ({ unit, decimals = unit === '%' ? 1 : 0 }: Metric, value: number): string =>
  value.toFixed(decimals).replace(/^-(0(\.0+)?)$/, '$1');

/** A measured value with its decimals: "≥ 10.6" where the true one may be greater, "–" where there is none. */
export function measuredNumber(
  metric: Metric,
  { value, lowerBound }: Pick<Measured, 'value' | 'lowerBound'>,
): string {
  if (value === null) return '–';
  return `${lowerBound ? '≥ ' : ''}${metricNumber(metric, value)}`;
}
