import { metricNumber } from '../../experiment/run/compareTable.ts';
import type { Measured, Metric } from '../../src/analysis/metrics/metric.ts';
import type { SessionLog } from '../../src/telemetry/schema/sessionLog.ts';

/** The metrics of a session, a line each: value, parts and note, or why there is none. */
export function formatMetrics(log: SessionLog, metrics: readonly Metric[]): string {
  const width = Math.max(...metrics.map(({ id }) => id.length));
  return metrics
    .map((metric) => {
      const measured = metric.of(log);
      return `${metric.id.padEnd(width)}  ${valueOf(metric, measured)}  ${detailsOf(metric, measured)}`.trimEnd();
    })
    .join('\n');
}

/** Numbers stand below each other, and their units too. */
function valueOf(metric: Metric, { value }: Measured): string {
  const shown = value === null ? '–' : metricNumber(metric, value);
  return `${shown.padStart(9)} ${(value === null ? '' : metric.unit).padEnd(18)}`;
}

function detailsOf(metric: Metric, { why, note, by }: Measured): string {
  const parts = Object.entries(by ?? {}).map(([name, part]) => `${name} ${metricNumber(metric, part)}`);
  return [why, parts.join(', '), note].filter((each) => each !== undefined && each !== '').join(' · ');
}
