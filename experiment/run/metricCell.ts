import type { Measured, Metric } from '../../src/analysis/metrics/metric.ts';
import { metrics } from '../../src/analysis/metrics/registry.ts';

/** The columns of a table of sessions that asks for none. */
export const headlines: readonly Metric[] = metrics.filter(({ headline }) => headline !== undefined);

export const metricHead = ({ label, unit }: Metric): string => (unit ? `${label}, ${unit}` : label);

/** A measured value in a table, with its parts where the metric has some to show. */
export function metricCell(metric: Metric, { value, by }: Measured): string {
  const parts = Object.entries(by ?? {});
  if (metric.parts === 'counts' && parts.length > 0)
    return parts.map(([name, count]) => `${count} ${name}`).join(' + ');
  if (value === null) return '–';
  const shown = metricNumber(metric, value);
  if (metric.parts !== 'protocols' || parts.length < 2) return shown;
  return `${shown} (${parts.map(([name, part]) => `${name} ${metricNumber(metric, part)}`).join(', ')})`;
}

/** A value of a metric with its decimals. */
export const metricNumber = ({ unit, decimals = unit === '%' ? 1 : 0 }: Metric, value: number): string =>
  value.toFixed(decimals).replace(/^-(0(\.0+)?)$/, '$1');
