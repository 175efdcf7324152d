import type { ReportSource } from '../reportSource.ts';
import type { ReportTable, TableColumn } from '../reportTable.ts';
import type { SessionSummary } from '../sessionSummary.ts';
import { meanOf } from '../../analysis/statistics/summaries.ts';
import type { Metric } from '../../analysis/metrics/metric.ts';
import { metrics } from '../../analysis/metrics/registry.ts';

/** A line for each cell (an arm under a network and a content): means over its sessions. */
export function cellTable({ plan, sessions }: ReportSource, primary: string): ReportTable {
  const shown = metrics.filter(({ id, headline }) => id === primary || headline !== undefined);
  const planned = new Map<string, number>();
  for (const { design } of plan.sessions) planned.set(design.cell, (planned.get(design.cell) ?? 0) + 1);
  const cells = new Map<string, SessionSummary[]>();
  for (const session of sessions)
    if (!cells.get(session.design.cell)?.push(session)) cells.set(session.design.cell, [session]);
  const known = shown.filter(({ id }) => sessions.some(({ values }) => values[id] !== null));
  // The design above says which, where there is only one.
  const contents = plan.campaign.contents.length > 1 ? ['content'] : [];
  return {
    id: 'cells',
    title: 'Means by arm and network',
    caption:
      'Means over the finished sessions of each arm on each network and content. They are a description; the verdicts above compare pairs.',
    columns: [
      ...['arm', 'network', ...contents].map((label) => ({ label, isText: true })),
      { label: 'planned' },
      { label: 'sessions' },
      ...known.map(metricColumn),
    ],
    rows: [...cells.keys()].sort().map((cell) => {
      const of = cells.get(cell)!;
      const [{ design, network, content }] = of as [SessionSummary];
      return [
        ...[design.arm, network ?? 'no link', ...contents.map(() => content)],
        ...[planned.get(cell) ?? 0, of.length],
        ...known.map(({ id }) => meanOf(of.flatMap(({ values }) => values[id] ?? []))),
      ];
    }),
  };
}

/** As tables of people have it. */
export const metricColumn = ({ label, unit, decimals = unit === '%' ? 1 : 0 }: Metric): TableColumn => ({
  label: unit ? `${label}, ${unit}` : label,
  decimals,
});
