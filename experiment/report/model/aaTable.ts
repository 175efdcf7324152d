import { allSessions, type ReportSource } from '../reportSource.ts';
import type { Cell, ReportTable } from '../reportTable.ts';
import type { Metric } from '../../../src/analysis/metrics/metric.ts';
import { metrics } from '../../../src/analysis/metrics/registry.ts';
import { studentInterval } from '../../../src/analysis/statistics/meanIntervals.ts';
import { meanOf } from '../../../src/analysis/statistics/summaries.ts';
import { isAaSession } from '../../factors/arms.ts';
import { differencesOf, type PairValues } from '../../verdict/pairs.ts';
import { aaCouples, aaValues, losslessNetworks, spreadOf, type AaCouple } from '../../verdict/resolution.ts';
import { formatCount } from '../../../src/shared/format.ts';

/**
 * How far two sessions of the same arm differ, by metric, transport and network: what chance and the lab add to every
 * difference. null for a campaign in which no arm plays twice in a pair.
 */
export function aaTable(source: ReportSource, primary: Metric): ReportTable | null {
  const couples = aaCouples(source.plan);
  if (couples.length === 0) return null;
  const shown = metrics.filter(({ id, headline }) => id === primary.id || headline !== undefined);
  const groups = groupsOf(source, couples);
  const rows = shown.flatMap((metric) => {
    const values = new Map(allSessions(source).map((each) => [each.id, each.values[metric.id] ?? null]));
    const flagged = new Set(source.flagged.map(({ design }) => design.pair));
    return groups.flatMap(({ transport, networks, of }) => {
      const known = aaValues(of, values, flagged);
      return known.length === 0
        ? []
        : [[metric.label, metric.unit, transport, networks, ...numbersOf(known, metric)]];
    });
  });
  return {
    id: 'aa',
    title: 'Two sessions of the same arm',
    caption: `${aboutOf(couples)} Second minus first, mean over pairs with its 95 % interval (Student’s t), and what 95 % of the differences do not exceed, in the unit and in % of the smaller value. Without random loss only the lab makes such a difference: it is the resolution of the metric.`,
    columns: [
      ...['metric', 'unit', 'transport', 'networks'].map((label) => ({ label, isText: true })),
      ...['pairs', 'mean', 'difference', 'from', 'to', '95 % within'].map((label) => ({ label })),
      { label: '95 % within, %', decimals: 2 },
    ],
    rows,
  };
}

const aboutOf = (couples: readonly AaCouple[]): string =>
  couples.some(([, second]) => isAaSession(second))
    ? `In each pair one arm played two sessions, the arms in turn (${formatCount(couples.length, 'pair')}).`
    : `The sessions of each label and the label before it, in the same pair (${formatCount(couples.length, 'couple')}).`;

interface Group {
  readonly transport: string;
  readonly networks: string;
  readonly of: readonly AaCouple[];
}

/**
 * All transports together and each by itself, of each network where verdicts are about one, else of those with and of those
 * without random loss.
 */
function groupsOf({ plan }: ReportSource, couples: readonly AaCouple[]): Group[] {
  const lossless = losslessNetworks(plan);
  const isSplit = plan.campaign.per === 'network';
  const among = [...(plan.campaign.transports.length > 1 ? ['all'] : []), ...plan.campaign.transports];
  const nameOf = ([{ link }]: AaCouple): string => networksName(link?.network ?? null, { lossless, isSplit });
  return [...new Set(couples.map(nameOf))].sort().flatMap((networks) =>
    among.map((transport) => ({
      transport,
      networks,
      of: couples.filter(
        (couple) => nameOf(couple) === networks && (transport === 'all' || couple[0].transport === transport),
      ),
    })),
  );
}

function networksName(
  network: string | null,
  { lossless, isSplit }: { lossless: ReadonlySet<string>; isSplit: boolean },
): string {
  if (network === null) return 'no link';
  const loss = lossless.has(network) ? 'without random loss' : 'with random loss';
  return isSplit ? `${network}, ${loss}` : loss;
}

function numbersOf(values: readonly PairValues[], { isPositive }: Metric): Cell[] {
  const differences = differencesOf(values).map((difference) => 0 - difference);
  // First and second are alike, so the differences are symmetric, for which Student's t holds with few pairs too.
  const [from, to] = values.length < 2 ? [null, null] : studentInterval(differences, 0.95);
  return [
    ...[values.length, meanOf(values.flat()), meanOf(differences), from, to],
    spreadOf(values, false)?.value ?? null,
    isPositive === true ? (spreadOf(values, true)?.value ?? null) : null,
  ];
}
