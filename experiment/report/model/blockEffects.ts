import type { ReportSource } from '../reportSource.ts';
import type { Cell, ReportTable } from '../reportTable.ts';
import { playbackHashesOf } from '../sessionSummary.ts';
import { metricColumn } from './metricTables.ts';
import type { Metric } from '../../../src/analysis/metrics/metric.ts';
import { welchInterval } from '../../../src/analysis/statistics/runningMeansTest.ts';
import { meanOf } from '../../../src/analysis/statistics/summaries.ts';
import { declaredComparisons, type Comparison } from '../../verdict/comparisons.ts';
import { pairsOf } from '../../verdict/pairs.ts';
import { decimalsOf, formatCount, formatSigned, formatUnit } from '../../../src/shared/format.ts';

/** The difference between two arms in one block of a campaign, on the primary metric. */
interface BlockEffect {
  readonly comparison: Comparison;
  readonly block: number;
  readonly pairs: number;
  /** Mean over the pairs of this block, first arm less second; null without a pair. */
  readonly difference: number | null;
  /** That mean less the one of block 1; null in block 1. */
  readonly moved: number | null;
  /** 95 % of it (Welch's t); null where a block has fewer than two pairs, or nothing varies. */
  readonly interval: readonly [number, number] | null;
}

function blockEffects(source: ReportSource, primary: string): BlockEffect[] {
  const { blocks = 0 } = source.plan.campaign;
  const all = [...source.sessions, ...source.flagged];
  const known = {
    values: new Map(all.map(({ id, values }) => [id, values[primary] ?? null])),
    flagged: new Set(source.flagged.map(({ design }) => design.pair)),
    playbackHashes: playbackHashesOf(all),
  };
  return declaredComparisons(source.plan).flatMap((comparison) => {
    const differences = Array.from({ length: blocks }, (_, index) => {
      const sessions = source.plan.sessions.filter(({ design }) => design.block === index + 1);
      const { campaign } = source.plan;
      return pairsOf({ campaign, sessions }, comparison, known).values.map(
        ([first, second]) => first - second,
      );
    });
    return differences.map((of, index) =>
      effectOf(comparison, { block: index + 1, of, first: differences[0]! }),
    );
  });
}

function effectOf(
  comparison: Comparison,
  { block, of, first }: { block: number; of: readonly number[]; first: readonly number[] },
): BlockEffect {
  const [here, before] = [meanOf(of), meanOf(first)];
  const isFirst = block === 1;
  return {
    comparison,
    block,
    pairs: of.length,
    difference: here,
    moved: isFirst || here === null || before === null ? null : here - before,
    interval: isFirst ? null : welchInterval(of, first),
  };
}

/** The differences between arms in each block of a campaign; null for a campaign without blocks. */
export function blockTable(source: ReportSource, primary: Metric): ReportTable | null {
  if (source.plan.campaign.blocks === undefined) return null;
  const column = metricColumn(primary);
  return {
    id: 'blocks',
    title: 'Blocks',
    caption: `${primary.label} by block: the mean difference over the pairs of each block, and how far it is from that of block 1, with its 95 % interval (Welch's t). What changes between blocks, for example the state of the machine, is in no interval of a single block.`,
    columns: [
      ...['comparison', 'within', 'network'].map((label) => ({ label, isText: true })),
      ...[{ label: 'block' }, { label: 'pairs' }],
      ...['difference', 'less block 1', 'from', 'to'].map((label) => ({
        ...column,
        label: `${label}, ${primary.unit}`,
      })),
    ],
    rows: blockEffects(source, primary.id).map(rowOf),
  };
}

const rowOf = ({ comparison, block, pairs, difference, moved, interval }: BlockEffect): Cell[] => [
  ...[`${comparison.first} against ${comparison.second}`, comparison.within, comparison.network ?? 'all'],
  ...[block, pairs, difference, moved],
  ...(interval ?? [null, null]),
];

/** A warning for each comparison whose difference moved between blocks by more than chance explains. */
export function blocksWarning(source: ReportSource, { id, unit }: Metric): string[] {
  return blockEffects(source, id).flatMap(({ comparison, block, moved, interval, pairs }) => {
    if (moved === null || interval === null || (interval[0] <= 0 && interval[1] >= 0)) return [];
    const decimals = decimalsOf(interval, moved);
    const [from, to] = interval.map((end) => formatSigned(end, decimals));
    return [
      `The difference of ${comparison.first} against ${comparison.second} (${comparison.within}${comparison.network === null ? '' : `, ${comparison.network}`}) is not the same in all blocks: in block ${block} (${formatCount(pairs, 'pair')}) it is ${formatSigned(moved, decimals)}${formatUnit(unit)} from that in block 1 (95 % ${from} to ${to}).`,
    ];
  });
}
