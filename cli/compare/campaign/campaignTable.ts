import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { headlines, metricCell, metricHead } from '../metricCell.ts';
import { textTable } from '../textTable.ts';
import { logDirOf } from './sessionsToDo.ts';
import { meanOf } from '../../../src/analysis/meanOf.ts';
import type { Measured, Metric } from '../../../src/analysis/metric.ts';
import { isFinished } from '../../../src/campaign/isFinished.ts';
import type { CampaignPlan, PlannedSession } from '../../../src/campaign/plan.ts';
import { readSession } from '../../../src/telemetry/schema/readSession.ts';

/**
 * A line for each cell: means over its finished sessions, counts by kind summed. It hangs on the plan and the logs alone, so a
 * merged folder gives the same table as one run. It describes and gives no verdict.
 */
export function campaignTable(plan: CampaignPlan, outDir: string, metrics = headlines): string {
  const cells = new Map<string, PlannedSession[]>();
  for (const session of plan.sessions)
    if (!cells.get(session.design.cell)?.push(session)) cells.set(session.design.cell, [session]);
  const head = ['rule', 'transport', 'network / content', 'sessions', ...metrics.map(metricHead)];
  // The plan's own order is shuffled.
  const lines = [...cells.keys()].sort().map((cell) => lineOf(cells.get(cell)!, outDir, metrics));
  return `\n${textTable([head, ...lines])}\n`;
}

function lineOf(sessions: readonly PlannedSession[], outDir: string, metrics: readonly Metric[]): string[] {
  const [{ rule, transport, design }] = sessions as [PlannedSession];
  const measured = sessions.flatMap((session) => figuresOf(session, outDir, metrics));
  const condition = design.cell.slice(design.arm.length + 1);
  return [
    rule,
    transport,
    condition,
    `${measured.length} of ${sessions.length}`,
    ...metrics.map((metric, index) =>
      metricCell(
        metric,
        together(
          metric,
          measured.map((figures) => figures[index]!),
        ),
      ),
    ),
  ];
}

/** The metrics of a session, in a list of one; an empty list where it is not finished. */
function figuresOf(session: PlannedSession, outDir: string, metrics: readonly Metric[]): Measured[][] {
  const file = path.join(logDirOf(outDir), `${session.id}.json`);
  const text = existsSync(file) ? readFileSync(file, 'utf8') : null;
  const log = text !== null && isFinished(session, text) ? readSession(text) : null;
  return log?.ok ? [metrics.map((metric) => metric.of(log.value))] : [];
}

/** The mean of what is known, and of its parts; counts are summed. */
function together({ parts }: Metric, measured: readonly Measured[]): Measured {
  const values = new Map<string, number[]>();
  for (const { by } of measured)
    for (const [name, part] of Object.entries(by ?? {}))
      values.set(name, [...(values.get(name) ?? []), part]);
  const value = meanOf(measured.flatMap((each) => (each.value === null ? [] : [each.value])));
  if (values.size === 0) return { value };
  const share = (of: readonly number[]): number =>
    parts === 'counts' ? of.reduce((sum, each) => sum + each, 0) : meanOf(of)!;
  return { value, by: Object.fromEntries([...values].map(([name, of]) => [name, share(of)])) };
}
