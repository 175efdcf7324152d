import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { textTable } from './textTable.ts';
import type { CompareCell, ComparePlan } from '../../e2e/compare/plan.ts';
import type { Metric } from '../../src/analysis/metric.ts';
import { metrics } from '../../src/analysis/registry.ts';
import { pick } from '../../src/registry.ts';
import { readSession } from '../../src/telemetry/schema/readSession.ts';

/** What a reader looks for first; every other metric follows. */
const FIRST = ['mean-bitrate', 'join-time', 'rebuffer-rate', 'switches', 'requests'];
const columns: readonly Metric[] = [
  ...FIRST.map((id) => pick(metrics, id)),
  ...metrics.filter(({ id }) => !FIRST.includes(id)),
];

/** The sessions of a run side by side. It describes: one session per cell says nothing about which is better. */
export function compareTable({ outDir, cells }: Pick<ComparePlan, 'outDir' | 'cells'>): string {
  const head = [
    'rule',
    'transport',
    ...columns.map(({ label, unit }) => (unit ? `${label}, ${unit}` : label)),
  ];
  const lines = cells.map((cell) => [cell.rule, cell.transport, ...figuresOf(outDir, cell)]);
  return `\n${textTable([head, ...lines])}\n`;
}

function figuresOf(outDir: string, cell: CompareCell): string[] {
  const file = path.join(outDir, `${cell.id}.json`);
  if (!existsSync(file)) return ['no log: it did not run, or the laboratory failed'];
  const session = readSession(readFileSync(file, 'utf8'));
  return session.ok ? columns.map((metric) => figure(metric, metric.of(session.value))) : [session.error];
}

function figure({ unit }: Metric, { value, by }: ReturnType<Metric['of']>): string {
  if (by)
    return Object.entries(by)
      .map(([name, count]) => `${count} ${name}`)
      .join(' + ');
  if (value === null) return '–';
  return unit === '%' ? value.toFixed(1) : String(Math.round(value));
}
