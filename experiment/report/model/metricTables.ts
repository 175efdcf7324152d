import { groupBy } from '../../../src/shared/groupBy.ts';
import { allSessions, type ReportSource, type SessionOutcome } from '../reportSource.ts';
import type { ReportTable, TableColumn, Cell } from '../reportTable.ts';
import type { SessionSummary } from '../sessionSummary.ts';
import { formatCount } from '../../../src/shared/format.ts';
import { meanOf } from '../../../src/analysis/statistics/summaries.ts';
import type { Metric } from '../../../src/analysis/metrics/metric.ts';
import { metrics, transferColumns } from '../../../src/analysis/metrics/registry.ts';
import { cellOf, reportFactors } from '../../factors/columns.ts';
import type { Factor } from '../../factors/factor.ts';
import type { PlannedSession } from '../../design/plan.ts';
import { steeringMetrics } from '../../../src/analysis/metrics/steering.ts';

/** A line for each cell (an arm under a network and a content): means over its sessions. */
export function cellTable({ plan, sessions }: ReportSource, primary: string): ReportTable {
  const isUsual = plan.campaign.transfers
    ? (metric: Metric) => transferColumns.includes(metric)
    : ({ headline }: Metric) => headline !== undefined;
  const shown = metrics.filter((metric) => metric.id === primary || isUsual(metric));
  const planned = new Map<string, number>();
  for (const { design } of plan.sessions) planned.set(design.cell, (planned.get(design.cell) ?? 0) + 1);
  const cells = groupBy(sessions, ({ design }) => design.cell);
  const known = shown.filter(({ id }) => sessions.some(({ values }) => values[id] !== null));
  // The design above says which, where there is only one.
  const contents = plan.campaign.contents.length > 1 ? ['content'] : [];
  return {
    id: 'cells',
    title: 'Means by arm and network',
    caption: `Means over the finished sessions of each arm on each network and content. They are a description; the verdicts above compare pairs.${formatLowerBound(sessions, known)}`,
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

/** Which means are too low, because waits of some sessions were cut off; empty where none is. */
function formatLowerBound(sessions: readonly SessionSummary[], shown: readonly Metric[]): string {
  const cut = sessions.filter(({ lowerBound = [] }) => shown.some(({ id }) => lowerBound.includes(id)));
  if (cut.length === 0) return '';
  const labels = shown.filter(({ id }) => cut.some(({ lowerBound }) => lowerBound!.includes(id)));
  return ` Waits of ${formatCount(cut.length, 'session')} were cut off and count as long as they lasted: the means of ${labels.map(({ label }) => label).join(' and ')} are at least so large.`;
}

/** As tables of people have it. */
export const metricColumn = ({ label, unit, decimals = unit === '%' ? 1 : 0 }: Metric): TableColumn => ({
  label: unit ? `${label}, ${unit}` : label,
  decimals,
});

/** Every planned session with every metric: what the other tables are made of. */
export function sessionTable(source: ReportSource): ReportTable {
  const { plan, flagged, outcomes } = source;
  const summaries = new Map(allSessions(source).map((each) => [each.id, each]));
  const invalidated = new Set(flagged.map(({ id }) => id));
  const byId = new Map(outcomes.map((outcome) => [outcome.id, outcome]));
  const factors = reportFactors(plan.campaign);
  return {
    id: 'sessions',
    title: 'Sessions',
    caption: 'Every planned session: its outcome and its metrics.',
    columns: [
      ...['session', ...factors.map(({ column }) => column.report), 'network', 'content', 'pair'].map(
        (label) => ({ label, isText: true }),
      ),
      ...[
        { label: 'repeat' },
        { label: 'seed' },
        { label: 'state', isText: true },
        { label: 'why', isText: true },
      ],
      ...metrics.map(metricColumn),
      { label: 'at least', isText: true },
      ...correlations.flatMap(({ label }) => [
        { label: `${label}, lag, s` },
        { label: `${label}, share of shifts larger`, decimals: 2 },
      ]),
    ],
    rows: plan.sessions.map((session): Cell[] => {
      const found = summaries.get(session.id);
      return [
        ...namesOf(session, factors),
        ...stateOf(byId.get(session.id), invalidated.has(session.id) ? found : undefined),
        ...metrics.map((metric) => found?.values[metric.id] ?? null),
        found?.lowerBound?.join(' ') ?? '',
        ...correlations.flatMap(({ id }) => {
          const { lagS, shareOfShiftsLarger } = found?.parts[id] ?? {};
          return [lagS ?? null, shareOfShiftsLarger ?? null];
        }),
      ];
    }),
  };
}

/** The greatest of many lags is large by chance, so a correlation never stands without its shifts. */
const correlations = metrics.filter(({ id }) => id.endsWith('-correlation'));

function namesOf(session: PlannedSession, factors: readonly Factor[]): Cell[] {
  const { id, link, content, design } = session;
  return [
    id,
    ...factors.map((factor) => cellOf(factor, session)),
    ...[link?.network ?? null, content, design.pair, design.repeat, design.seed],
  ];
}

/** What became of it, and why. */
const stateOf = (outcome: SessionOutcome | undefined, invalidated: SessionSummary | undefined): Cell[] =>
  invalidated
    ? ['invalidated by host overload', invalidated.flags.join(' ') || 'another arm of its pair was']
    : [outcome?.state ?? 'not-played', outcome?.why ?? null];

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
