import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { metricCell, metricHead } from './metricCell.ts';
import { textTable } from './textTable.ts';
import type { CompareCell } from '../../e2e/compare/plan.ts';
import type { Metric } from '../../src/analysis/metric.ts';
import { readSession } from '../../src/telemetry/schema/readSession.ts';

/** The sessions of a run side by side. It describes: one session per cell says nothing about which is better. */
export function compareTable({ outDir, cells, metrics }: Compared): string {
  const head = ['rule', 'transport', ...metrics.map(metricHead)];
  const lines = cells.map((cell) => [cell.rule, cell.transport, ...figuresOf(outDir, cell, metrics)]);
  return `\n${textTable([head, ...lines])}\n`;
}

interface Compared {
  readonly outDir: string;
  readonly cells: readonly CompareCell[];
  /** The columns. */
  readonly metrics: readonly Metric[];
}

function figuresOf(outDir: string, cell: CompareCell, metrics: readonly Metric[]): string[] {
  const file = path.join(outDir, `${cell.id}.json`);
  if (!existsSync(file)) return ['no log: it did not run, or the laboratory failed'];
  const session = readSession(readFileSync(file, 'utf8'));
  return session.ok ? metrics.map((metric) => metricCell(metric, metric.of(session.value))) : [session.error];
}
