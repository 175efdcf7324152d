import { measuredNumber, metricNumber } from '../../experiment/runner/metricCells.ts';
import { printable } from '../../node/print.ts';
import type { Measured, Metric } from '../../src/analysis/metrics/metric.ts';
import type { SessionLog } from '../../src/telemetry/schema/sessionLog.ts';
import { p1203 } from '../../src/export/p1203.ts';
import { measuresOf } from '../../src/export/tables/sessions.ts';
import type { FormatOptions } from '../../src/export/sessionFormat.ts';
import { csvLine } from '../../src/shared/csv.ts';
import { runningMeans, sessionWindows } from '../../src/analysis/windows/sessionWindows.ts';
import { tcpClassOf } from '../../src/analysis/transport/protocol.ts';

export const windowsCsvHead = csvLine([
  'file',
  'session',
  'window',
  'fromMs',
  'toMs',
  'tcpShare',
  'tcpClass',
  'qualityDropS',
  'stallS',
  'bitrateKbps',
  'runningBitrateKbps',
  'runningVariationKbps',
  'runningStallS',
]);

/** The windows of a session, a row each, with the running means up to them. */
export function windowsCsv(file: string, log: SessionLog): string {
  const windows = sessionWindows(log);
  const means = runningMeans(windows);
  return windows
    .map(({ fromMs, toMs, tcpShare, qualityDropS, stallS, bitrateKbps }, index) => {
      const mean = means[index]!;
      const tcp = [tcpShare, tcpShare === null ? null : tcpClassOf(tcpShare)];
      const running = [mean.bitrateKbps, mean.variationKbps, mean.stallS];
      return csvLine([
        file,
        log.id,
        index + 1,
        fromMs,
        toMs,
        ...tcp,
        qualityDropS,
        stallS,
        bitrateKbps,
        ...running,
      ]);
    })
    .join('');
}

/** The metrics of a session as one line of JSON: what an array or a JSON Lines file is made of. */
export function metricsJson(file: string, log: SessionLog, metrics: readonly Metric[]): string {
  const measured = metrics.map((metric) => [metric.id, { unit: metric.unit, ...metric.of(log) }] as const);
  const { id, design } = log;
  return JSON.stringify({ file, id, design, metrics: Object.fromEntries(measured) });
}

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
function valueOf(metric: Metric, measured: Measured): string {
  const shown = measuredNumber(metric, measured);
  return `${shown.padStart(9)} ${(measured.value === null ? '' : metric.unit).padEnd(18)}`;
}

function detailsOf(metric: Metric, { why, note, by }: Measured): string {
  const parts = Object.entries(by ?? {}).map(([name, part]) => `${name} ${metricNumber(metric, part)}`);
  return [why, parts.join(', '), note].filter((each) => each !== undefined && each !== '').join(' · ');
}

/**
 * The session as P.1203 input, JSON, as `pitwall export` writes it; what was assumed goes to standard error.
 * @throws Error in one sentence where the session or an option does not do
 */
export function formatP1203(file: string, log: SessionLog, options: FormatOptions): string {
  const made = p1203.convert(log, options);
  if (!made.ok) throw new Error(made.error.startsWith('--') ? made.error : `${file}: ${made.error}`);
  for (const note of made.value.notes) process.stderr.write(printable(`${file}: ${note}\n`));
  return made.value.text;
}

export const metricsCsvHead = csvLine(
  'file session cell pair arm metric part value unit lowerBound why'.split(' '),
);

/**
 * A row for each metric, and one more for each of its parts. An unknown value is an empty cell, and `why` says why; `lowerBound` is
 * `true` where the true value may be greater.
 */
export function metricsCsv(file: string, log: SessionLog, metrics: readonly Metric[]): string {
  const { id, design } = log;
  const session = [file, id, design?.cell ?? null, design?.pair ?? null, design?.arm ?? null];
  return measuresOf(log, metrics)
    .map(({ metric, part, value, lowerBound, why }) =>
      csvLine([...session, metric.id, part, value, metric.unit, lowerBound, why]),
    )
    .join('');
}
