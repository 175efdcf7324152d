import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { metricCell, metricHead } from './metricCell.ts';
import { textTable } from '../../node/textTable.ts';
import type { CompareCell } from './play/plan.ts';
import type { Metric } from '../../src/analysis/metrics/metric.ts';
import { whyNotPlayed } from '../../src/analysis/timeline/played.ts';
import { readSession } from '../../src/telemetry/schema/readSession.ts';

/** The sessions of a run side by side. It describes: one session per cell says nothing about which is better. */
export function compareTable({ outDir, cells, metrics }: Compared): string {
  const head = ['rule', 'transport', ...metrics.map(metricHead)];
  const rows = cells.map((cell) => ({ cell, ...readCell(outDir, cell, metrics) }));
  const lines = rows.map(({ cell, figures }) => [cell.rule, cell.transport, ...figures]);
  const reasons = rows.flatMap(({ cell, why }) =>
    why === null ? [] : [`${cell.rule} over ${cell.transport} showed no frame: ${why}`],
  );
  return `\n${textTable([head, ...lines])}\n${reasons.map((line) => `\n${line}`).join('')}`;
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
}

function readCell(outDir: string, cell: CompareCell, metrics: readonly Metric[]): ReadCell {
  const file = path.join(outDir, `${cell.id}.json`);
  if (!existsSync(file)) return { figures: ['no log: it did not run, or the lab failed'], why: null };
  const session = readSession(readFileSync(file, 'utf8'));
  if (!session.ok) return { figures: [session.error], why: null };
  const why = whyNotPlayed(session.value);
  const figures = metrics.map((metric) => metricCell(metric, metric.of(session.value)));
  return { figures: why === null ? figures : ['no frame', ...figures.slice(1)], why };
}
