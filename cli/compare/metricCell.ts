import type { Measured, Metric } from '../../src/analysis/metric.ts';
import { metrics } from '../../src/analysis/registry.ts';
import { pick } from '../../src/registry.ts';

/** What a reader looks for first; every other metric follows. */
const FIRST = ['mean-bitrate', 'join-time', 'rebuffer-rate', 'switches', 'requests'];

/** The columns of a table of sessions. */
export const metricColumns: readonly Metric[] = [
  ...FIRST.map((id) => pick(metrics, id)),
  ...metrics.filter(({ id }) => !FIRST.includes(id)),
];

export const metricHead = ({ label, unit }: Metric): string => (unit ? `${label}, ${unit}` : label);

/** A measured value in a table; its parts where it has some. */
export function metricCell({ unit }: Metric, { value, by }: Measured): string {
  if (by)
    return Object.entries(by)
      .map(([name, count]) => `${count} ${name}`)
      .join(' + ');
  if (value === null) return '–';
  return unit === '%' ? value.toFixed(1) : String(Math.round(value));
}
