import { allSessions, type ReportSource } from '../reportSource.ts';
import type { Cell, ReportTable } from '../reportTable.ts';
import { sharesTest, type CountTest } from '../../../src/analysis/statistics/countTests.ts';
import { meanOf } from '../../../src/analysis/statistics/summaries.ts';
import { metrics } from '../../../src/analysis/metrics/registry.ts';
import type { Metric } from '../../../src/analysis/metrics/metric.ts';
import { failures, findFailure, type FailureId } from '../../design/failure.ts';
import { pick } from '../../../src/shared/registry.ts';
import { formatCount, formatP, formatPercent } from '../../../src/shared/format.ts';
import { metricColumn } from './metricTables.ts';

/** How often the sessions of an arm were tried, and why tries were thrown away. */
interface ArmTries {
  readonly arm: string;
  readonly transport: string;
  /** Sessions with a log. */
  readonly kept: number;
  /** Ids of the failures of the tries that were thrown away, one for each try. */
  readonly thrownAway: readonly string[];
  /** Primary metric in sessions with a log. `discardedValues` has it in logs of tries that were thrown away, where known. */
  readonly keptValues: readonly number[];
  readonly discardedValues: readonly number[];
}

/** Failure of a try that was thrown away for the sake of another: it says nothing of its own arm. */
const WITH_PAIR: FailureId = 'pair-repeated';
const isOwn = (failure: string): boolean => failure !== WITH_PAIR;

function armTries(source: ReportSource): ArmTries[] {
  const { plan, outcomes } = source;
  const byId = new Map(outcomes.map((outcome) => [outcome.id, outcome]));
  const values = new Map(allSessions(source).map(({ id, values }) => [id, values]));
  const arms = new Map(plan.sessions.map(({ design, transport }) => [design.arm, transport]));
  return [...arms].sort().map(([arm, transport]) => {
    const planned = plan.sessions.filter(({ design }) => design.arm === arm);
    const of = planned.flatMap(({ id }) => byId.get(id) ?? []);
    return {
      arm,
      transport,
      kept: of.filter(({ state }) => state === 'finished').length,
      thrownAway: of.flatMap(({ failedTries }) => failedTries),
      keptValues: planned.flatMap(({ id }) => values.get(id)?.[plan.campaign.primary] ?? []),
      discardedValues: of.flatMap(({ discarded }) => discarded ?? []),
    };
  });
}

/** Tests whether tries were thrown away more often over one transport than over another. null where that cannot be tested. */
export function transportsOfTries(source: ReportSource): CountTest | null {
  const byTransport = new Map<string, { hits: number; others: number }>();
  for (const { transport, kept, thrownAway } of armTries(source)) {
    const { hits, others } = byTransport.get(transport) ?? { hits: 0, others: 0 };
    const own = thrownAway.filter(isOwn).length;
    byTransport.set(transport, { hits: hits + own, others: others + kept + thrownAway.length - own });
  }
  return sharesTest([...byTransport.values()]);
}

/** Makes the table of tries that were thrown away, by arm and reason; null where none was. */
export function triesTable(source: ReportSource): ReportTable | null {
  const arms = armTries(source);
  const found = new Set(arms.flatMap(({ thrownAway }) => thrownAway));
  if (found.size === 0) return null;
  const primary = pick<Metric>(metrics, source.plan.campaign.primary);
  const reasons = [...found].sort((one, other) => placeOf(one) - placeOf(other) || (one < other ? -1 : 1));
  const column = metricColumn(primary);
  return {
    id: 'tries',
    title: 'Tries',
    caption: formatCaption(source, primary),
    columns: [
      { label: 'arm', isText: true },
      ...['tries', 'kept'].map((label) => ({ label })),
      { label: 'repeated, %', decimals: 1 },
      ...reasons.map((reason) => ({ label: labelOf(reason) })),
      { ...column, label: `${column.label}: kept` },
      { ...column, label: `${column.label}: thrown away` },
      { label: 'logs thrown away' },
    ],
    rows: arms.map((arm) => rowOf(arm, reasons)),
  };
}

function rowOf(arm: ArmTries, reasons: readonly string[]): Cell[] {
  const tries = arm.kept + arm.thrownAway.length;
  const count = (reason: string): number => arm.thrownAway.filter((each) => each === reason).length;
  return [
    ...[arm.arm, tries, arm.kept],
    tries === 0 ? null : (100 * arm.thrownAway.length) / tries,
    ...reasons.map(count),
    ...[meanOf(arm.keptValues), meanOf(arm.discardedValues), arm.discardedValues.length],
  ];
}

const placeOf = (reason: string): number => {
  const place = failures.findIndex(({ id }) => id === reason);
  return place < 0 ? failures.length : place;
};

/** Returns the label of a reason. A reason of another version stands as it is. */
function labelOf(reason: string): string {
  const known = findFailure(reason);
  return known?.label ?? reason;
}

function formatCaption(source: ReportSource, { label }: Metric): string {
  const failed = new Set(
    source.outcomes.flatMap(({ id, failedTries }) => (failedTries.length > 0 ? id : [])),
  );
  const pairs = new Set(source.plan.sessions.map(({ design }) => design.pair));
  const affected = new Set(
    source.plan.sessions.flatMap(({ id, design }) => (failed.has(id) ? design.pair : [])),
  );
  return [
    `Every try of a session: kept, or thrown away because the lab failed. ${affected.size} of ${formatCount(pairs.size, 'pair')} had a try thrown away.`,
    formatTest(transportsOfTries(source)),
    `${label} is also given for the tries that were thrown away, as far as the last of each session left a log with a value: many of these ended early. If it differs from that of the sessions that were kept, the choice of tries has moved the result.`,
  ].join(' ');
}

function formatTest(test: CountTest | null): string {
  if (test === null) return '';
  const name = test.method === 'exact' ? "Fisher's exact test" : 'chi-square test';
  return `Whether tries are thrown away more often over one transport than over another, without those that were repeated only with their pair: p ${formatP(test.p)} (${name}, tries taken as independent).`;
}

/** Level of p below which the arms' tries were not chosen alike. */
const SUSPICIOUS_P = 0.05;

/** Returns a warning where tries over one transport were thrown away more often; none elsewhere. */
export function triesWarning(source: ReportSource): string[] {
  const test = transportsOfTries(source);
  if (test === null || test.p >= SUSPICIOUS_P) return [];
  const shares = armTries(source).map(({ arm, kept, thrownAway }) => {
    const own = thrownAway.filter(isOwn).length;
    return `${formatPercent(own / Math.max(1, kept + thrownAway.length))} of ${arm}`;
  });
  return [
    `Tries were not thrown away alike over all transports (p ${formatP(test.p)}): ${shares.join(', ')}. The sessions that were kept may be chosen by what is compared; see the table of tries.`,
  ];
}
