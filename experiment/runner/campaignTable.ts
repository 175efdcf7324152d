import { groupBy } from '../../src/shared/groupBy.ts';
import { headlines, metricCell, metricHead } from './metricCells.ts';
import { columnsNow, fittedTable } from '../../node/fittedTable.ts';
import type { JudgedSession, JudgedSessions } from './finishedSessions.ts';
import { meanOf } from '../../src/analysis/statistics/summaries.ts';
import type { Measured, Metric } from '../../src/analysis/metrics/metric.ts';
import { flaggedPairs, formatBusy, formatFlagged } from '../verdict/flagged.ts';
import { formatCount } from '../../src/shared/format.ts';
import { factorsOf, isAaSession } from '../factors/arms.ts';
import { sharedCell } from '../factors/columns.ts';
import type { CampaignPlan, PlannedSession } from '../design/plan.ts';
import { formatVariant, planOfVariant } from '../design/variants.ts';

/** Nobody reads more lines than these; a campaign with more cells has a line for all networks of an arm. */
const MAX_CELLS = 200;

/** The columns between factors and metrics. One pair has the same in all of its lines. */
const ALL_PLACES = ['network', 'content', 'sessions'];

/**
 * A line for each cell, or with many cells for each arm: means over its finished sessions, counts by kind summed. Pairs that
 * the machine held back are left out and counted beneath. It hangs on the plan and the logs alone, so a merged folder gives
 * the same table as one run. It describes and gives no verdict.
 */
export function campaignTable(
  plan: CampaignPlan,
  finished: JudgedSessions,
  metrics = headlines,
  { isOnePair = false }: { readonly isOnePair?: boolean } = {},
): string {
  const cells = grouped(plan);
  const factors = factorsOf(plan.campaign).map(({ factor }) => factor);
  const places = isOnePair ? [] : ALL_PLACES;
  const head = [...factors.map(({ column }) => column.terminal), ...places, ...metrics.map(metricHead)];
  const flags = new Map([...finished].map(([id, session]) => [id, session.flags]));
  const left = flaggedPairs(plan.sessions, flags);
  const kept = ({ id, design }: PlannedSession): JudgedSession[] =>
    left.flagged.has(design.pair) ? [] : [finished.get(id)].filter((each) => each !== undefined);
  // The order of several pairs is shuffled.
  const names = isOnePair ? [...cells.keys()] : [...cells.keys()].sort();
  const lines = names.map((cell) => {
    const sessions = cells.get(cell) as [PlannedSession, ...PlannedSession[]];
    const line = [
      ...factors.map((factor) => sharedCell(factor, sessions)),
      ...lineOf(cell, sessions, { finished: sessions.flatMap(kept), metrics }),
    ];
    return isOnePair ? line.toSpliced(factors.length, ALL_PLACES.length) : line;
  });
  const hint =
    left.flagged.size > 0
      ? '\nrun again with --again to repeat the pairs with a session that was invalidated by host overload'
      : '';
  const table = fittedTable(
    { head, rows: lines, names: factors.length + Math.max(0, places.length - 1) },
    columnsNow(),
  );
  const busy = formatBusy(plan.sessions, finished);
  return `\n${table}\n${formatAaSessions(plan)}${formatFlagged(left)}${hint}${busy === null ? '' : `${busy}\n`}`;
}

/** Formats the table of a campaign and, apart from it, one for each of its variants. */
export const formatTables = (
  plan: CampaignPlan,
  finished: JudgedSessions,
  metrics: readonly Metric[],
): string[] => [
  campaignTable(plan, finished, metrics),
  ...(plan.variants ?? []).flatMap((variant) => [
    `pairs played again with ${formatVariant(variant)}, which are no part of the table above:`,
    campaignTable(planOfVariant(plan, variant), finished, metrics),
  ]),
];

/** The sessions of each line, by what they have in common, written as a cell. */
function grouped(plan: CampaignPlan): Map<string, PlannedSession[]> {
  const sessions = plan.sessions.filter((each) => !isAaSession(each));
  const cells = groupBy(sessions, ({ design }) => design.cell);
  if (cells.size <= MAX_CELLS) return cells;
  const all = formatCount(plan.networks.length, 'network');
  return groupBy(sessions, ({ design }) => {
    const [, content] = networkAndContent(conditionOf(design));
    return `${design.arm}/${all}/${content}`;
  });
}

function formatAaSessions({ sessions }: CampaignPlan): string {
  const count = sessions.filter(isAaSession).length;
  return count === 0
    ? ''
    : `without the ${formatCount(count, 'A/A session')}, the second of an arm in its pair; the report compares them\n`;
}

/** A line behind its cells of factors. */
function lineOf(
  cell: string,
  sessions: readonly [PlannedSession, ...PlannedSession[]],
  { finished, metrics }: { readonly finished: readonly JudgedSession[]; readonly metrics: readonly Metric[] },
): string[] {
  const [{ design }] = sessions;
  return [
    ...networkAndContent(conditionOf({ ...design, cell })),
    `${finished.length} of ${sessions.length}`,
    ...metrics.map((metric) =>
      metricCell(
        metric,
        together(
          metric,
          finished.map(({ figures }) => figures.get(metric.id)!),
        ),
      ),
    ),
  ];
}

/** Network and content of a cell. */
const conditionOf = ({ cell, arm }: Pick<PlannedSession['design'], 'cell' | 'arm'>): string =>
  cell.slice(arm.length + 1);

/** The name of a network has no slash. */
const networkAndContent = (condition: string): [string, string] => {
  const at = condition.indexOf('/');
  return [condition.slice(0, at), condition.slice(at + 1)];
};

/** A mean may be off by the mean of the errors. */
function errorOf(measured: readonly Measured[]): Pick<Measured, 'error'> {
  const errors = measured.flatMap(({ value, error }) => (value === null ? [] : [error]));
  if (errors.every((error) => error === undefined)) return {};
  return { error: errors.includes(null) ? null : meanOf(errors.map((error) => error ?? 0)) };
}

/** The mean of what is known, and of its parts; counts are summed. It is at least so large where one of the values is. */
function together({ parts }: Metric, measured: readonly Measured[]): Measured {
  const values = new Map<string, number[]>();
  for (const { by } of measured)
    for (const [name, part] of Object.entries(by ?? {}))
      if (!values.get(name)?.push(part)) values.set(name, [part]);
  const value = meanOf(measured.flatMap((each) => (each.value === null ? [] : [each.value])));
  const lowerBound = measured.some((each) => each.lowerBound);
  const share = (of: readonly number[]): number =>
    parts === 'counts' ? of.reduce((sum, each) => sum + each, 0) : meanOf(of)!;
  const by = Object.fromEntries([...values].map(([name, of]) => [name, share(of)]));
  return { value, ...errorOf(measured), ...(lowerBound && { lowerBound }), ...(values.size > 0 && { by }) };
}
