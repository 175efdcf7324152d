import { allSessions, type ScoredSource } from '../reportSource.ts';
import type { ReportTable } from '../reportTable.ts';
import { playbackHashesOf } from '../sessionSummary.ts';
import type { Metric } from '../../../src/analysis/metrics/metric.ts';
import { metrics } from '../../../src/analysis/metrics/registry.ts';
import { meanTest } from '../../../src/analysis/statistics/meanIntervals.ts';
import { pairCounts } from '../../../src/analysis/statistics/verdict.ts';
import { mannWhitney, signedRank } from '../../../src/analysis/statistics/rankTests.ts';
import { declaredComparisons, type Comparison } from '../../verdict/comparisons.ts';
import {
  couplesOf,
  pairsIn,
  unitOf,
  type Couples,
  type Pairs,
  type SessionValues,
  differencesOf,
} from '../../verdict/pairs.ts';
import { formatInteger } from '../../../src/shared/format.ts';

/** Every metric but the primary, in every declared comparison: it describes and gives no verdict. */
export function exploratoryTable(source: ScoredSource, primary: string): ReportTable {
  const compared = comparedOf(source);
  const rows = metrics
    .filter(({ id }) => id !== primary)
    .flatMap((metric) => rowsOf(metric, valuesOf(source, metric), compared));
  const tested = rows.filter((row) => row[P_PLACE] !== null).length;
  const byChance = Math.round(CHANCE * tested);
  return {
    id: 'exploratory',
    title: 'All other metrics: exploratory',
    caption: `Differences of all other metrics, first minus second, mean over pairs with a 95 % interval by bootstrap-t (empty where there are too few different values), uncorrected p of Wilcoxon’s signed-rank test. None of these is a verdict: if nothing differs, some ${formatInteger(byChance)} of ${formatInteger(tested)} such p are below 0.05 by chance alone.`,
    columns: [
      ...['metric', 'unit', 'first', 'second', 'within', 'network'].map((label) => ({ label, isText: true })),
      ...[`${unitOf(source.plan.campaign)}s`, 'difference', 'from', 'to', 'won', 'lost', 'tied'].map(
        (label) => ({ label }),
      ),
      { label: 'p, uncorrected', decimals: 4 },
      { label: 'Cliff’s delta', decimals: 2 },
      { label: 'Mann–Whitney p', decimals: 4 },
    ],
    rows,
  };
}

const P_PLACE = 13;
const CHANCE = 0.05;
/** Described only, so that fewer draws than a verdict's are enough (Efron and Tibshirani 1993, §13.3). */
const RESAMPLES = 1000;

type Row = ReportTable['rows'][number];

interface Compared {
  readonly comparison: Comparison;
  readonly couples: Couples;
}

/** Who is compared with whom: worked out once, the same for all metrics. */
function comparedOf(source: ScoredSource): Compared[] {
  const { plan, flagged } = source;
  const all = allSessions(source);
  const known = {
    values: new Map(all.map(({ id }) => [id, null])),
    playbackHashes: playbackHashesOf(all),
    flagged: new Set(flagged.map(({ design }) => design.pair)),
  };
  return declaredComparisons(plan).map((comparison) => ({
    comparison,
    couples: couplesOf(plan, comparison, known),
  }));
}

const valuesOf = (source: ScoredSource, { id: metric }: Metric): SessionValues =>
  new Map(allSessions(source).map(({ id, values }) => [id, values[metric] ?? null]));

function rowsOf(metric: Metric, known: SessionValues, compared: readonly Compared[]): Row[] {
  if (![...known.values()].some((value) => value !== null)) return [];
  return compared.flatMap(({ comparison, couples }) => {
    const pairs = pairsIn(couples, { values: known });
    return pairs.values.length === 0 ? [] : [rowOf(metric, comparison, pairs)];
  });
}

function rowOf(metric: Metric, comparison: Comparison, { values }: Pick<Pairs, 'values'>): Row {
  const { first, second, within, network } = comparison;
  const differences = differencesOf(values);
  const test = meanTest(differences, { seed: 1, resamples: RESAMPLES });
  const interval = test.interval(0.95);
  return [
    ...[metric.label, metric.unit, first, second, within, network ?? 'all'],
    ...[values.length, test.value, interval?.[0] ?? null, interval?.[1] ?? null],
    ...countsOf(metric, differences),
    signedRank(differences, { zeroMethod: 'pratt' }).p,
    ...unpairedOf(values),
  ];
}

/** Won, lost and tied; a metric that only describes is neither won nor lost. */
function countsOf({ better }: Metric, differences: readonly number[]): (number | null)[] {
  if (better === null) return [null, null, null];
  const { won, lost, tied } = pairCounts(differences, better);
  return [won, lost, tied];
}

function unpairedOf(values: readonly (readonly [number, number])[]): (number | null)[] {
  const [firsts, seconds] = [values.map(([a]) => a), values.map(([, b]) => b)];
  const unpaired = mannWhitney(firsts, seconds);
  return unpaired ? [unpaired.cliffsDelta, unpaired.p] : [null, null];
}
