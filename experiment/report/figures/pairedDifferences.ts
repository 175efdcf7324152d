import type { Metric } from '../../../src/analysis/metrics/metric.ts';
import { formatMargin, marginOf } from '../../verdict/margin.ts';
import { unitOf } from '../../verdict/pairs.ts';
import { ruleLook } from '../../../src/charts/ruleLook.ts';
import { verdictLines, type JudgingMetric, type VerdictLine } from '../model/verdictLines.ts';
import type { ReportSource } from '../reportSource.ts';
import { boxOf, judgedMetrics, rangeOf } from './values.ts';
import { slug, type FigureMaker, type ReportFigure } from './figure.ts';
import { pairedStrips, type Strip } from './svg/pairedStrips.ts';
import { withUnit } from './svg/valueAxis.ts';

/** As many comparisons in one picture as can be taken in together. */
const MAX_STRIPS = 12;

/** The figure of the verdict: every pair's difference, their mean with its interval, and the margin that does not matter. */
export const pairedDifferences: FigureMaker = {
  id: 'paired-differences',
  label: 'Differences of pairs',
  place: 10,
  draw(source) {
    const [metric] = judgedMetrics(source.plan, []);
    if (!metric || !isJudging(metric)) return null;
    const lines = verdictLines(source, metric).filter(({ differences }) => differences.length > 0);
    const margin = Math.max(0, ...lines.map((line) => line.margin));
    // One axis for all of them, so that they can be compared.
    const range = rangeOf([...lines.flatMap(reachOf), margin, -margin, 0])!;
    const parts = partsOf(lines);
    const number = (index: number): string => (parts.length === 1 ? '' : String(index + 1));
    const figures = parts.map((part, index) =>
      figureOf({ source, metric, range, number: number(index) }, part),
    );
    return figures.length > 0 ? figures : null;
  },
};

const isJudging = (metric: Metric): metric is JudgingMetric => metric.better !== null;

/** One picture for each network, of few comparisons each. */
function partsOf(lines: readonly VerdictLine[]): VerdictLine[][] {
  const networks = [...new Set(lines.map(({ comparison }) => comparison.network))];
  return networks.flatMap((network) => {
    const mine = lines.filter(({ comparison }) => comparison.network === network);
    const size = Math.ceil(mine.length / Math.ceil(mine.length / MAX_STRIPS));
    return Array.from({ length: Math.ceil(mine.length / size) }, (_, part) =>
      mine.slice(part * size, (part + 1) * size),
    );
  });
}

interface About {
  readonly source: ReportSource;
  readonly metric: JudgingMetric;
  readonly range: NonNullable<ReturnType<typeof rangeOf>>;
  /** Its number among several; "" for the only one. */
  readonly number: string;
}

function figureOf({ source, metric, range, number }: About, lines: readonly VerdictLine[]): ReportFigure {
  const { campaign } = source.plan;
  const network = lines[0]?.comparison.network ?? null;
  const id = slug('paired', metric.id, number);
  const title = `Differences in ${metric.label}${network === null ? '' : ` on ${network}`}${number === '' || network !== null ? '' : ` (${number})`}`;
  const strips = lines.map((line) => stripOf(line, campaign.rules.length));
  return {
    id,
    title,
    caption: `First minus second: a tick for each ${unitOf(campaign)}. The bar is the 95 % interval of the mean, the dot the mean, the band the margin of ± ${formatMargin(marginOf(campaign), metric.unit)}. Those farther out are drawn at the ends. Verdicts after Holm’s correction.`,
    svg: pairedStrips({ id, title, metric, range }, strips),
    columns: [
      ...['first', 'second', 'within', 'network', 'pairs'],
      ...[
        withUnit('mean difference', metric.unit),
        'from',
        'to',
        'margin',
        'won',
        'lost',
        'tied',
        'p Holm',
        'verdict',
      ],
    ],
    rows: lines.map(rowOf),
    sessions: sessionsOf(source, lines),
  };
}

/** What the axis must show: the interval, and all pairs but outliers. */
const reachOf = ({ differences, interval }: VerdictLine): readonly number[] => [
  ...boxOf(differences)!.whiskers,
  ...(interval ?? []),
];

function stripOf(line: VerdictLine, rules: number): Strip {
  const { first, second, within } = line.comparison;
  return {
    name: `${first} − ${second}`,
    within: within === '' ? '' : rules > 1 && !within.includes('/') ? ruleLook(within).label : within,
    differences: line.differences,
    mean: line.difference!,
    interval: line.interval,
    margin: line.margin,
    verdict: line.verdict,
  };
}

const rowOf = (line: VerdictLine): ReportFigure['rows'][number] => {
  const { first, second, within, network } = line.comparison;
  const { difference, interval, margin, won, lost, tied, holmP, verdict } = line;
  return [
    ...[
      first,
      second,
      within,
      network ?? 'all',
      line.pairs.compared,
      difference,
      interval?.[0] ?? null,
      interval?.[1] ?? null,
      margin,
    ],
    ...[won, lost, tied, holmP, verdict ?? 'none'],
  ];
};

function sessionsOf({ sessions }: ReportSource, lines: readonly VerdictLine[]): string[] {
  const arms = new Set(
    lines.flatMap(({ comparison: { firstArm, secondArm, network } }) =>
      [firstArm, secondArm].map((arm) => `${network ?? ''} ${arm}`),
    ),
  );
  return sessions
    .filter(({ network, design }) => arms.has(` ${design.arm}`) || arms.has(`${network ?? ''} ${design.arm}`))
    .map(({ id }) => id);
}
