import type { Metric } from '../../src/analysis/metrics/metric.ts';
import type { SessionLog } from '../../src/telemetry/schema/sessionLog.ts';

/** The metrics of a session as one line of JSON: what an array or a JSON Lines file is made of. */
export function metricsJson(file: string, log: SessionLog, metrics: readonly Metric[]): string {
  const measured = metrics.map((metric) => [metric.id, { unit: metric.unit, ...metric.of(log) }] as const);
  const { id, design } = log;
  return JSON.stringify({ file, id, design, metrics: Object.fromEntries(measured) });
}
