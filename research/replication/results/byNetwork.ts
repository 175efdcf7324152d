import { metrics } from '../../../src/analysis/metrics/registry.ts';
import { differenceOf } from '../../../src/analysis/statistics/verdict.ts';
import { meanOf } from '../../../src/analysis/statistics/summaries.ts';
import type { ScoredSource } from '../../../experiment/report/reportSource.ts';
import type { Cell, ReportTable } from '../../../experiment/report/reportTable.ts';
import { formatCount } from '../../../src/shared/format.ts';
import { declaredComparisons, type Comparison } from '../../../experiment/verdict/comparisons.ts';
import { pairsOf, type KnownOfSessions } from '../../../experiment/verdict/pairs.ts';

/**
 * Mean differences on each network, first arm less second in the metric's unit, where a comparison is about several networks
 * together: a mean over networks may hide that they disagree. null where every comparison is about one network.
 */
export function byNetwork(source: ScoredSource): ReportTable | null {
  const { plan, flagged } = source;
  const names = plan.networks.map(({ name }) => name);
  if (plan.campaign.per === 'network' || names.length < 2) return null;
  const sessions = [...source.sessions, ...flagged];
  const invalidated = new Set(flagged.map(({ design }) => design.pair));
  const rows = metrics.flatMap(({ id }) => {
    const values = new Map(sessions.map((session) => [session.id, session.values[id] ?? null]));
    if (![...values.values()].some((value) => value !== null)) return [];
    const known = { values, flagged: invalidated, playbackHashes: new Map<string, string>() };
    return declaredComparisons(plan).map((comparison): Cell[] => [
      ...[id, comparison.first, comparison.second, comparison.within],
      ...names.map((network) => meanDifference({ ...comparison, network }, { plan, known })),
    ]);
  });
  return {
    id: 'by-network',
    title: 'Differences by network',
    caption: 'First minus second in the metric’s unit, mean over the pairs of each network.',
    columns: [
      ...['metric', 'first', 'second', 'within'].map((label) => ({ label, isText: true })),
      ...names.map((label) => ({ label })),
    ],
    rows,
  };
}

function meanDifference(
  comparison: Comparison,
  { plan, known }: { plan: ScoredSource['plan']; known: KnownOfSessions },
): number | null {
  const { values } = pairsOf(plan, comparison, known);
  return meanOf(values.map(([first, second]) => differenceOf(first, second)));
}

const NAMES = 4;

/** `higher on 9 of 10 networks`, `lower on 7 and higher on 3 of 10 networks`; null where there is no such row. */
export function formatSigns(
  table: ReportTable | null,
  { metric, first, second, within }: { metric: string; first: string; second: string; within: string },
): string | null {
  const wanted = [metric, first, second, within];
  const row = table?.rows.find((cells) => wanted.every((name, place) => cells[place] === name));
  if (!row) return null;
  const found = row.slice(NAMES);
  const counts = [
    ['higher', found.filter((each) => Number(each) > 0).length],
    ['lower', found.filter((each) => Number(each) < 0).length],
    ['the same', found.filter((each) => each === 0).length],
    ['unknown', found.filter((each) => each === null).length],
  ] as const;
  const parts = counts.filter(([, count]) => count > 0).map(([word, count]) => `${word} on ${count}`);
  return `${parts.join(', ')} of ${formatCount(found.length, 'network')}`;
}
