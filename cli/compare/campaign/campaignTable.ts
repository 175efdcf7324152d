import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { metricCell, metricColumns, metricHead } from '../metricCell.ts';
import { textTable } from '../textTable.ts';
import { logDirOf } from './sessionsToDo.ts';
import type { Measured, Metric } from '../../../src/analysis/metric.ts';
import { isFinished } from '../../../src/campaign/isFinished.ts';
import type { CampaignPlan, PlannedSession } from '../../../src/campaign/plan.ts';
import { readSession } from '../../../src/telemetry/schema/readSession.ts';

/**
 * A line for each cell: means over its finished sessions, requests summed. It hangs on the plan and the logs alone, so a
 * merged folder gives the same table as one run. It describes and gives no verdict.
 */
export function campaignTable(plan: CampaignPlan, outDir: string): string {
  const cells = new Map<string, PlannedSession[]>();
  for (const session of plan.sessions)
    if (!cells.get(session.design.cell)?.push(session)) cells.set(session.design.cell, [session]);
  const head = ['rule', 'transport', 'network / content', 'sessions', ...metricColumns.map(metricHead)];
  // The plan's own order is shuffled.
  const lines = [...cells.keys()].sort().map((cell) => lineOf(cells.get(cell)!, outDir));
  return `\n${textTable([head, ...lines])}\n`;
}

function lineOf(sessions: readonly PlannedSession[], outDir: string): string[] {
  const [{ rule, transport, design }] = sessions as [PlannedSession];
  const measured = sessions.flatMap((session) => figuresOf(session, outDir));
  const condition = design.cell.slice(design.arm.length + 1);
  return [
    rule,
    transport,
    condition,
    `${measured.length} of ${sessions.length}`,
    ...metricColumns.map((metric, index) =>
      metricCell(metric, together(measured.map((figures) => figures[index]!))),
    ),
  ];
}

/** The metrics of a session, in a list of one; an empty list where it is not finished. */
function figuresOf(session: PlannedSession, outDir: string): Measured[][] {
  const file = path.join(logDirOf(outDir), `${session.id}.json`);
  const text = existsSync(file) ? readFileSync(file, 'utf8') : null;
  const log = text !== null && isFinished(session, text) ? readSession(text) : null;
  return log?.ok ? [metricColumns.map((metric: Metric) => metric.of(log.value))] : [];
}

/** The mean of what is known; parts are summed. */
function together(measured: readonly Measured[]): Measured {
  const values = measured.map(({ value }) => value).filter((value) => value !== null);
  const value = values.length > 0 ? values.reduce((sum, each) => sum + each, 0) / values.length : null;
  const by: Record<string, number> = {};
  for (const part of measured)
    for (const [name, count] of Object.entries(part.by ?? {})) by[name] = (by[name] ?? 0) + count;
  return Object.keys(by).length > 0 ? { value, by } : { value };
}
