import { csvLine } from '../../src/shared/csv.ts';
import type { Metric } from '../../src/analysis/metrics/metric.ts';
import type { SessionLog } from '../../src/telemetry/schema/sessionLog.ts';

const HEAD = ['file', 'session', 'cell', 'pair', 'arm', 'metric', 'part', 'value', 'unit', 'why'];

export const metricsCsvHead = csvLine(HEAD);

/** A row for each metric, and one more for each of its parts. An unknown value is an empty cell, and `why` says why. */
export function metricsCsv(file: string, log: SessionLog, metrics: readonly Metric[]): string {
  const { id, design } = log;
  const session = [file, id, design?.cell ?? null, design?.pair ?? null, design?.arm ?? null];
  return metrics
    .flatMap((metric) => {
      const { value, why = null, by = {} } = metric.of(log);
      const parts = Object.entries(by).map(([name, part]) => [metric.id, name, part, metric.unit, null]);
      return [[metric.id, null, value, metric.unit, why], ...parts];
    })
    .map((cells) => csvLine([...session, ...cells]))
    .join('');
}
