import type { Metric } from '../../../src/analysis/metrics/metric.ts';
import { quantile } from '../../../src/analysis/statistics/summaries.ts';
import type { Axis } from '../../../src/charts/chart.ts';
import { distributionOf, judgedMetrics, knownValues, rangeOf } from './values.ts';
import { facetsOf, type Arm, type Facet, placeLook } from './facets.ts';
import { slug, type FigureMaker, type ReportFigure } from './figure.ts';
import { formatValue, withUnit, valueAxis, type ValueAxis } from './svg/valueAxis.ts';
import { X_AXIS_PX, xAxis, yAxis, yAxisPx, place, type Frame, type Place } from './svg/axes.ts';
import { legend, lookedLine, markers } from './svg/armMarks.ts';
import { picture, WIDTH, tone, px } from './svg/element.ts';
import { formatCount } from '../../../src/shared/format.ts';
import { metrics } from '../../../src/analysis/metrics/registry.ts';
import { pick } from '../../../src/shared/registry.ts';
import { isRacing } from '../../../src/telemetry/transportModes.ts';
import type { SessionSummary } from '../sessionSummary.ts';
import type { CampaignPlan } from '../../design/plan.ts';

/** The three of the racing paper and the sums of the 2020 letter, beside the campaign's own primary metric. */
const METRICS = ['mean-bitrate', 'rebuffer-rate', 'qoe-linear', 'join-time'];
/** More lines cannot be distinguished. */
const MAX_ARMS = 8;
const PLOT_PX = 132;
const SHARES: Axis = {
  scale: 'linear',
  bottom: 0,
  top: 1,
  ticks: [0, 0.25, 0.5, 0.75, 1].map((value) => ({ value, label: `${100 * value}` })),
};

/** A metric's distribution over the sessions of each arm. */
export const distributions: FigureMaker = {
  id: 'distributions',
  label: 'Distributions over the sessions',
  place: 20,
  draw(source) {
    const facets = facetsOf(source);
    const figures = judgedMetrics(source.plan, METRICS).flatMap((metric) =>
      facets.flatMap((facet) => distribution(metric, facet, axisOf(metric, facets)) ?? []),
    );
    return figures.length > 0 ? figures : null;
  },
};

/** One axis for all facets of a metric, so that they can be compared. */
function axisOf(metric: Metric, facets: readonly Facet[]): ValueAxis | null {
  const all = facets.flatMap(({ arms }) => arms.flatMap(({ sessions }) => knownValues(sessions, metric.id)));
  const range = rangeOf(all);
  return range && valueAxis({ ...range, unit: metric.unit });
}

interface Line extends Arm {
  readonly values: readonly number[];
}

/** The distribution of a metric over the sessions of each arm of a facet; null where no session has a value. */
function distribution(metric: Metric, facet: Facet, axis: ValueAxis | null): ReportFigure | null {
  const lines = facet.arms
    .map((arm) => ({ ...arm, values: knownValues(arm.sessions, metric.id) }))
    .filter(({ values }) => values.length > 0);
  if (!axis || lines.length === 0) return null;
  const drawn = lines.slice(0, MAX_ARMS);
  const title = `Distribution of ${metric.label}${facet.label === '' ? '' : `: ${facet.label}`}`;
  const id = slug('cdf', metric.id, facet.label === '' ? '' : facet.name);
  return {
    id,
    title,
    caption: captionOf(lines),
    svg: drawing({ id, title, metric, axis }, drawn),
    columns: ['arm', withUnit(metric.id, metric.unit), 'share of sessions at most'],
    rows: lines.flatMap(({ name, values }) =>
      distributionOf(values).map(({ value, share }) => [name, value, share]),
    ),
    sessions: lines.flatMap(({ sessions }) => sessions.map((session) => session.id)),
  };
}

function captionOf(lines: readonly Line[]): string {
  const unknown = lines.reduce((sum, { sessions, values }) => sum + sessions.length - values.length, 0);
  return [
    'The share of sessions with at most this value. The mark is the median; its value is next to the name.',
    unknown > 0 ? `${formatCount(unknown, 'session')} without a value left out.` : '',
    lines.length > MAX_ARMS ? `The first ${MAX_ARMS} of ${lines.length} are drawn; the table has all.` : '',
  ]
    .filter((each) => each !== '')
    .join(' ');
}

interface Named {
  readonly id: string;
  readonly title: string;
  readonly metric: Metric;
  readonly axis: ValueAxis;
}

function drawing({ id, title, metric, axis }: Named, lines: readonly Line[]): string {
  const medians = lines.map(({ values }) => quantile(Float64Array.from(values).sort(), 0.5));
  const labels = lines.map(({ look }, index) => `${look.label}  ${formatValue(medians[index]!, axis)}`);
  const keys = legend(
    lines.map(({ look }, index) => ({ look, label: labels[index]! })),
    'line',
  );
  const top = keys.height + 26;
  const frame: Frame = { left: yAxisPx(SHARES), right: WIDTH - 8, top, bottom: top + PLOT_PX };
  const [x, y] = [place(axis, frame.left, frame.right), place(SHARES, frame.bottom, frame.top)];
  const ends = [frame.left, frame.right] as const;
  const description = `Medians: ${labels.join('; ')} (${withUnit(metric.label, axis.unit)}).`;
  return picture({ id, title, description, height: frame.bottom + X_AXIS_PX }, [
    ...keys.marks,
    ...yAxis(frame, SHARES, '% of sessions'),
    ...xAxis(frame, axis, withUnit(metric.label, axis.unit)),
    ...lines.map(({ look, values }) => lookedLine(look, stepPath(distributionOf(values), { x, y, ends }))),
    ...lines.map(({ look }, index) =>
      markers(look.marker, [[x(medians[index]!), y(0.5)]], {
        sizePx: 9,
        fill: tone(look.tone),
        stroke: tone('surface'),
        'stroke-width': 1.5,
        class: 'median',
      }),
    ),
  ]);
}

/** A distribution as a path of steps: from 0 at the left end of the plot to 1 at its right end. */
export function stepPath(
  points: readonly { readonly value: number; readonly share: number }[],
  { x, y, ends }: { x: Place; y: Place; ends: readonly [left: number, right: number] },
): string {
  const steps = points.map(({ value, share }) => `H${px(x(value))}V${px(y(share))}`);
  return `M${px(ends[0])} ${px(y(0))}${steps.join('')}H${px(ends[1])}`;
}

/** How the TCP share of racing sessions is distributed, a line for each network (2024 racing paper, Fig. 14). */
export const tcpShares: FigureMaker = {
  id: 'tcp-shares',
  label: 'TCP share of racing sessions, by network',
  place: 68,
  draw({ plan, sessions }) {
    const metric = pick<Metric>(metrics, 'tcp-share');
    const facet = {
      name: 'by-network',
      label: 'racing sessions, by network',
      arms: byNetwork(plan, sessions),
    };
    const figure = distribution(metric, facet, axisOf(metric, [facet]));
    return figure && { ...figure, caption: `${SCOPE} ${figure.caption}` };
  },
};

const SCOPE =
  'Sessions whose browser raced, a line for each network, as in Fig. 14 of the 2024 racing paper.';
const NO_LINK = 'no emulated link';

/** In the plan's order. Where a steering policy chose, the browser did not. */
function byNetwork(plan: CampaignPlan, sessions: readonly SessionSummary[]): Arm[] {
  const raced = new Set(
    plan.sessions
      .filter(({ transport, steering = 'browser' }) => isRacing(transport) && steering === 'browser')
      .map(({ id }) => id),
  );
  return [...plan.networks.map(({ name }) => name), NO_LINK]
    .map((name) => ({
      name,
      sessions: sessions.filter(({ id, network }) => raced.has(id) && (network ?? NO_LINK) === name),
    }))
    .filter((arm) => arm.sessions.length > 0)
    .map((arm, index) => ({ ...arm, look: placeLook(arm.name, index) }));
}
