import { metricCell, metricColumns, metricHead } from '../metricCell.ts';
import { textTable } from '../textTable.ts';
import { finishedSessions, type FinishedSession } from './finishedSessions.ts';
import type { Measured } from '../../../src/analysis/metric.ts';
import { flaggedPairs } from '../../../src/campaign/flaggedPairs.ts';
import { flaggedText } from '../../../src/campaign/flaggedText.ts';
import type { CampaignPlan, PlannedSession } from '../../../src/campaign/plan.ts';

/**
 * A line for each cell: means over its finished sessions, requests summed. Pairs that the machine held back are left out and
 * counted beneath. It hangs on the plan and the logs alone, so a merged folder gives the same table as one run. It describes
 * and gives no verdict.
 */
export function campaignTable(plan: CampaignPlan, outDir: string): string {
  const cells = new Map<string, PlannedSession[]>();
  for (const session of plan.sessions)
    if (!cells.get(session.design.cell)?.push(session)) cells.set(session.design.cell, [session]);
  const head = ['rule', 'transport', 'network / content', 'sessions', ...metricColumns.map(metricHead)];
  const finished = finishedSessions(plan, outDir, metricColumns);
  const flags = new Map([...finished].map(([id, session]) => [id, session.flags]));
  const left = flaggedPairs(plan.sessions, flags);
  const kept = ({ id, design }: PlannedSession): FinishedSession[] =>
    left.flagged.has(design.pair) ? [] : [finished.get(id)].filter((each) => each !== undefined);
  // The plan's own order is shuffled.
  const lines = [...cells.keys()].sort().map((cell) => {
    const sessions = cells.get(cell)!;
    return lineOf(sessions, sessions.flatMap(kept));
  });
  return `\n${textTable([head, ...lines])}\n${flaggedText(left)}`;
}

function lineOf(sessions: readonly PlannedSession[], finished: readonly FinishedSession[]): string[] {
  const [{ rule, transport, design }] = sessions as [PlannedSession];
  const condition = design.cell.slice(design.arm.length + 1);
  return [
    rule,
    transport,
    condition,
    `${finished.length} of ${sessions.length}`,
    ...metricColumns.map((metric, index) =>
      metricCell(metric, together(finished.map(({ figures }) => figures[index]!))),
    ),
  ];
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
