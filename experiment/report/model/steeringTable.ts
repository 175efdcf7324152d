import { groupBy } from '../../../src/shared/groupBy.ts';
import type { ReportSource } from '../reportSource.ts';
import type { Cell, ReportTable, TableColumn } from '../reportTable.ts';
import type { SessionSummary } from '../sessionSummary.ts';
import { metricColumn } from './metricTables.ts';
import type { Metric } from '../../../src/analysis/metrics/metric.ts';
import { steeringMetrics } from '../../../src/analysis/metrics/steering.ts';
import { meanOf } from '../../../src/analysis/statistics/summaries.ts';

/** What steering did in each arm on each network; null for a campaign in which nothing chose between pathways. */
export function steeringTable({ sessions }: ReportSource): ReportTable | null {
  const steered = sessions.filter(({ steering }) => steering !== undefined);
  const shown = steeringMetrics.filter(({ id }) => steered.some(({ values }) => isKnown(values[id])));
  if (shown.length === 0) return null;
  const groups = groupBy(steered, ({ design, network }) => `${design.arm}\n${network ?? ''}`);
  return {
    id: 'steering',
    title: 'Steering by arm and network',
    caption:
      'Exploratory: means over the sessions of each arm on each network. A session that never left, or never returned, has no such time, so each time stands beside the number of sessions that have one. Arms that leave less often look faster.',
    columns: [
      { label: 'arm', isText: true },
      { label: 'network', isText: true },
      { label: 'sessions' },
      ...shown.flatMap(columnsOf),
    ],
    rows: [...groups.keys()].sort().map((key) => rowOf(groups.get(key)!, shown)),
  };
}

const isKnown = (value: number | null | undefined): value is number => typeof value === 'number';

const isTime = ({ unit }: Metric): boolean => unit === 's';

const columnsOf = (metric: Metric): TableColumn[] => {
  const column = metricColumn(metric);
  return isTime(metric)
    ? [
        { ...column, label: 'mean', group: column.label },
        { label: 'sessions', group: column.label },
      ]
    : [metric.unit === '' ? { ...column, decimals: 1 } : column];
};

function rowOf(sessions: readonly SessionSummary[], shown: readonly Metric[]): Cell[] {
  const [{ design, network }] = sessions as [SessionSummary];
  return [
    ...[design.arm, network ?? 'no link', sessions.length],
    ...shown.flatMap((metric) => {
      const known = sessions.map(({ values }) => values[metric.id]).filter(isKnown);
      return isTime(metric) ? [meanOf(known), known.length] : [meanOf(known)];
    }),
  ];
}
