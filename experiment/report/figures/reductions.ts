import type { Metric } from '../../../src/analysis/metrics/metric.ts';
import {
  PERCENTILES,
  percentReductions,
  type PercentReductions,
  reductionsByRtt,
} from '../../../src/analysis/statistics/reductions.ts';
import { metrics } from '../../../src/analysis/metrics/registry.ts';
import type { CampaignPlan } from '../../design/plan.ts';
import { baselineOf, facetsOf, type Arm, type Facet } from './facets.ts';
import { knownValues } from './values.ts';
import { slug, type FigureMaker, type ReportFigure } from './figure.ts';
import { cellGrid, type Cell, type CellRow } from './svg/cellGrid.ts';
import { formatNumber, formatSigned } from '../../../src/shared/format.ts';

/** What the 2017 paper's tables reduce: handshakes, join times and rebuffering. */
const METRICS = ['join-time', 'rebuffer-rate', 'handshake-time'];
/** Its figure 9 has such buckets of round-trip time. */
const EDGES_MS = [50, 100, 200];
/** A reduction this large is as strong a colour as there is. */
const STRONG_PERCENT = 50;
/** Beyond that a number only says that the control's was next to nothing. */
const MAX_PERCENT = 999;

/** Percent reductions at the mean and at percentiles: distributions against each other, not pairs. */
export const reductions: FigureMaker = {
  id: 'reductions',
  label: 'Percent reductions',
  place: 90,
  draw(source) {
    const rtts = networkRtts(source.plan);
    const figures = METRICS.flatMap((id) => metrics.find((metric) => metric.id === id) ?? []).flatMap(
      (metric) =>
        facetsOf(source).flatMap((facet) => figureOf({ metric, facet, rtts, plan: source.plan }) ?? []),
    );
    return figures.length > 0 ? figures : null;
  },
};

interface About {
  readonly metric: Metric;
  readonly facet: Facet;
  readonly rtts: ReadonlyMap<string, number>;
  readonly plan: CampaignPlan;
}

/** A row of the table. */
interface Reduced {
  readonly arm: string;
  readonly base: string;
  readonly bucket: string;
  readonly reductions: PercentReductions;
}

function figureOf({ metric, facet, rtts, plan }: About): ReportFigure | null {
  const base = facet.arms.find(({ name }) => name === baselineOf(plan));
  if (!base) return null;
  const rows = facet.arms.filter((arm) => arm !== base).flatMap((arm) => rowsOf({ metric, rtts }, arm, base));
  if (
    !rows.some(
      ({ reductions: { mean, percentiles } }) =>
        mean !== null || percentiles.some(({ percent }) => percent !== null),
    )
  )
    return null;
  const id = slug('reductions', metric.id, facet.label === '' ? '' : facet.name);
  const title = `Reduction of ${metric.label} against ${base.name}${facet.label === '' ? '' : `: ${facet.label}`}`;
  return {
    id,
    title,
    isTable: true,
    caption: `By how many % the mean and the percentiles are lower than those of ${base.name}; above 0 is better. Unpaired and without a verdict, as in tables 1 and 2 of the 2017 paper. – : the value of the control is 0, or too few sessions have this percentile.`,
    svg: cellGrid({
      id,
      title,
      corner: '%',
      columns: ['mean', ...PERCENTILES.map((each) => `p${each}`)],
      description: rows.map(formatSummary).join(' '),
      rows: rows.map(rowMarks),
    }),
    columns: [
      'arm',
      'control',
      'round-trip time',
      'sessions',
      'controls',
      'mean',
      ...PERCENTILES.map((each) => `p${each}`),
    ],
    rows: rows.map(({ arm, base: control, bucket, reductions: { treated, controls, mean, percentiles } }) => [
      ...[arm, control, bucket, treated, controls, mean, ...percentiles.map(({ percent }) => percent)],
    ]),
    sessions: facet.arms.flatMap(({ sessions }) => sessions.map((session) => session.id)),
  };
}

/** All networks together, then by bucket where they fall into several. */
function rowsOf({ metric, rtts }: Pick<About, 'metric' | 'rtts'>, arm: Arm, base: Arm): Reduced[] {
  const all = percentReductions(knownValues(arm.sessions, metric.id), knownValues(base.sessions, metric.id));
  const atRtt = ({ sessions }: Arm) =>
    sessions.flatMap(({ values, network }) => {
      const [value, minRttMs] = [values[metric.id] ?? null, rtts.get(network ?? '') ?? null];
      return value === null || minRttMs === null ? [] : [{ value, minRttMs }];
    });
  const buckets = reductionsByRtt(atRtt(arm), atRtt(base), EDGES_MS).flatMap(
    ({ fromMs, toMs, reductions: of }) =>
      of ? [{ arm: arm.name, base: base.name, bucket: formatBucket(fromMs, toMs), reductions: of }] : [],
  );
  return [
    ...(all ? [{ arm: arm.name, base: base.name, bucket: 'all', reductions: all }] : []),
    ...(buckets.length > 1 ? buckets : []),
  ];
}

const formatBucket = (fromMs: number, toMs: number): string =>
  toMs === Infinity ? `RTT ≥ ${fromMs} ms` : fromMs === 0 ? `RTT < ${toMs} ms` : `${fromMs}–${toMs} ms`;

const rowMarks = (
  { arm, bucket, reductions: { mean, percentiles } }: Reduced,
  index: number,
  rows: readonly Reduced[],
): CellRow => ({
  label: bucket,
  cells: [mean, ...percentiles.map(({ percent }) => percent)].map(cellOf),
  ...(rows[index - 1]?.arm === arm ? {} : { heading: arm }),
});

const cellOf = (percent: number | null): Cell | null =>
  percent === null
    ? null
    : {
        text:
          Math.abs(percent) > MAX_PERCENT
            ? `${percent < 0 ? '<−' : '>'}${MAX_PERCENT}`
            : formatSigned(percent, 0),
        good: Math.min(1, Math.max(-1, percent / STRONG_PERCENT)),
      };

const formatSummary = ({ arm, bucket, reductions: { mean, percentiles } }: Reduced): string =>
  `${arm}, ${bucket}: mean ${formatNumber(mean, 0)} %, median ${formatNumber(percentiles.find(({ percentile }) => percentile === 50)?.percent ?? null, 0)} %.`;

/** The least round-trip time of each network without queueing, ms: what its sessions' minimum cannot be below. */
export const networkRtts = ({ networks }: Pick<CampaignPlan, 'networks'>): ReadonlyMap<string, number> =>
  new Map(
    networks.map(({ name, profile }) => [
      name,
      profile.steps.reduce((min, { rttMs }) => Math.min(min, rttMs), Infinity),
    ]),
  );
