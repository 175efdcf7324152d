import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { columnsNow, fittedTable } from '../../node/fittedTable.ts';
import { formatOtherProtocols } from './otherProtocols.ts';
import { titleOf, type CompareCell } from './play/plan.ts';
import type { Metric, Measured } from '../../src/analysis/metrics/metric.ts';
import { formatFinding } from '../../src/analysis/diagnostics/diagnostics.ts';
import { missingLevel } from '../../src/analysis/diagnostics/errors.ts';
import { whyNotPlayed } from '../../src/analysis/timeline/played.ts';
import type { SessionLog } from '../../src/telemetry/schema/sessionLog.ts';
import { readSessionLog } from '../../src/analysis/deriveScreen.ts';
import { metrics } from '../../src/analysis/metrics/registry.ts';

/** The sessions of a run side by side. It describes: one session per cell says nothing about which is better. */
export function compareTable({ outDir, cells, metrics }: Compared): string {
  const isSteered = cells.some(({ steering }) => steering !== undefined);
  const isSplit = cells.some(({ split }) => split !== undefined);
  const hasBrowsers = cells.some(({ browser }) => browser !== undefined);
  const namesOf = ({ rule, transport, steering = '–', split = 1, browser = '–' }: CompareCell): string[] => [
    ...[rule, transport],
    ...(isSteered ? [steering] : []),
    ...(isSplit ? [String(split)] : []),
    ...(hasBrowsers ? [browser] : []),
  ];
  const names = [
    ...['rule', 'transport'],
    ...(isSteered ? ['steering'] : []),
    ...(isSplit ? ['ranges'] : []),
    ...(hasBrowsers ? ['browser'] : []),
  ];
  const head = [...names, ...metrics.map(metricHead)];
  const rows = cells.map((cell) => ({ cell, ...readCell(outDir, cell, metrics) }));
  const lines = rows.map(({ cell, figures }) => [...namesOf(cell), ...figures]);
  const reasons = rows.flatMap(({ cell, why, notices }) => [
    ...(why === null ? [] : [`${titleOf(cell)} showed no frame: ${why}`]),
    ...notices.map((notice) => `${titleOf(cell)}: ${notice}`),
  ]);
  const table = fittedTable({ head, rows: lines, names: names.length }, columnsNow());
  return `\n${table}\n${reasons.map((line) => `\n${line}`).join('')}`;
}

interface Compared {
  readonly outDir: string;
  readonly cells: readonly CompareCell[];
  /** The columns. */
  readonly metrics: readonly Metric[];
}

interface ReadCell {
  readonly figures: readonly string[];
  /** Why no frame was shown; null where one was, or where there is no log. */
  readonly why: string | null;
  /** What a reader of its numbers must know, a sentence each. */
  readonly notices: readonly string[];
}

/** Without these the numbers of a session would mislead: it played something else than its row says, or on a busy machine. */
function noticesOf(log: SessionLog): string[] {
  const watch = missingLevel.watch(log);
  for (const event of log.events) watch.see(event);
  const other = formatOtherProtocols(log);
  const [busy] = log.environment.machine?.flags ?? [];
  return [
    ...watch.findings([]).map(formatFinding),
    ...(other === null ? [] : [other]),
    ...(busy === undefined ? [] : [`the machine was busy, so its numbers may be the machine's: ${busy}`]),
  ];
}

function readCell(outDir: string, cell: CompareCell, metrics: readonly Metric[]): ReadCell {
  const file = path.join(outDir, `${cell.id}.json`);
  if (!existsSync(file))
    return {
      figures: ['no log'],
      why: null,
      notices: ['there is no log: the session was not played, or the lab failed'],
    };
  const session = readSessionLog(readFileSync(file, 'utf8'));
  if (!session.ok) return { figures: ['unreadable'], why: null, notices: [session.error] };
  const why = whyNotPlayed(session.value);
  const figures = metrics.map((metric) => metricCell(metric, metric.of(session.value)));
  const notices = noticesOf(session.value);
  return { figures: why === null ? figures : ['no frame', ...figures.slice(1)], why, notices };
}

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
