import { metricColumn } from './cellTable.ts';
import type { ReportSource } from '../reportSource.ts';
import type { Cell, ReportTable } from '../reportTable.ts';
import { metrics } from '../../analysis/metrics/registry.ts';
import type { PlannedSession } from '../../../experiment/plan/plan.ts';
import type { SessionOutcome } from '../sessionOutcome.ts';
import type { SessionSummary } from '../sessionSummary.ts';

/** Every planned session with every metric: what the other tables are made of. */
export function sessionTable({ plan, sessions, flagged, outcomes }: ReportSource): ReportTable {
  const summaries = new Map([...sessions, ...flagged].map((each) => [each.id, each]));
  const invalidated = new Set(flagged.map(({ id }) => id));
  const byId = new Map(outcomes.map((outcome) => [outcome.id, outcome]));
  return {
    id: 'sessions',
    title: 'Sessions',
    caption: 'Every planned session: its outcome and its metrics.',
    columns: [
      ...['session', 'rule', 'transport', 'controllers', 'network', 'content', 'pair'].map((label) => ({
        label,
        isText: true,
      })),
      ...[
        { label: 'repeat' },
        { label: 'seed' },
        { label: 'state', isText: true },
        { label: 'why', isText: true },
      ],
      ...metrics.map(metricColumn),
      ...correlations.flatMap(({ label }) => [
        { label: `${label}, lag, s` },
        { label: `${label}, share of shifts larger`, decimals: 2 },
      ]),
    ],
    rows: plan.sessions.map((session): Cell[] => {
      const found = summaries.get(session.id);
      return [
        ...namesOf(session),
        ...stateOf(byId.get(session.id), invalidated.has(session.id) ? found : undefined),
        ...metrics.map((metric) => found?.values[metric.id] ?? null),
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

const namesOf = ({ id, rule, transport, controller, link, content, design }: PlannedSession): Cell[] => [
  ...[id, rule, transport, controller ?? null, link?.network ?? null, content, design.pair],
  ...[design.repeat, design.seed],
];

/** What became of it, and why. */
const stateOf = (outcome: SessionOutcome | undefined, invalidated: SessionSummary | undefined): Cell[] =>
  invalidated
    ? ['invalidated by host overload', invalidated.flags.join(' ') || 'another arm of its pair was']
    : [outcome?.state ?? 'not-played', outcome?.why ?? null];
