import type { Metric } from '../../../src/analysis/metrics/metric.ts';
import { boxOf, judgedMetrics, knownValues, rangeOf, type Box } from './values.ts';
import { facetsOf, type Facet } from './facets.ts';
import { slug, type FigureMaker, type ReportFigure } from './figure.ts';
import { boxRows, type BoxGroup } from './svg/boxRows.ts';
import { withUnit, valueAxis } from './svg/valueAxis.ts';
import { formatCount } from '../../../src/shared/format.ts';

/** Those of the 2020 letter's figures 2 to 5. */
const METRICS = ['mean-bitrate', 'bitrate-variation', 'rebuffer-time', 'qoe-linear'];

/** A metric's quartiles for every arm, rule by rule. */
export const boxPlots: FigureMaker = {
  id: 'box-plots',
  label: 'Box plots of every arm',
  place: 30,
  draw(source) {
    const facets = facetsOf(source);
    const figures = judgedMetrics(source.plan, METRICS).flatMap((metric) => figureOf(metric, facets) ?? []);
    return figures.length > 0 ? figures : null;
  },
};

function figureOf(metric: Metric, facets: readonly Facet[]): ReportFigure | null {
  const groups = facets.map((facet) => groupOf(metric, facet)).filter(({ rows }) => rows.length > 0);
  const boxes = groups.flatMap(({ rows }) => rows.map(({ box }) => box));
  const range = rangeOf(boxes.flatMap(({ whiskers, outliers }) => [...whiskers, ...outliers]));
  if (!range) return null;
  const axis = valueAxis({ ...range, unit: metric.unit });
  const id = slug('boxes', metric.id);
  const title = `Spread of ${metric.label}`;
  return {
    id,
    title,
    caption: `${BOX_WORDS} ${formatSessions(boxes)} As figures 2 to 5 of the 2020 letter.`,
    svg: boxRows({ id, title, axis, axisTitle: withUnit(metric.label, axis.unit) }, groups),
    columns: ['within', 'arm', 'sessions', ...BOX_COLUMNS.map((each) => withUnit(each, metric.unit))],
    rows: facets.flatMap((facet) =>
      facet.arms.flatMap((arm) => {
        const box = boxOf(knownValues(arm.sessions, metric.id));
        return box ? [[facet.name, arm.name, box.count, ...boxNumbers(box)]] : [];
      }),
    ),
    sessions: facets.flatMap(({ arms }) =>
      arms.flatMap(({ sessions }) => sessions.map((session) => session.id)),
    ),
  };
}

/** How a box is to be read. */
export const BOX_WORDS =
  'Box: quartiles and median. Whiskers: to the farthest value within 1.5 box lengths (Tukey). Rings: values beyond.';
export const BOX_COLUMNS = ['lower whisker', 'first quartile', 'median', 'third quartile', 'upper whisker'];
export const boxNumbers = ({ quartiles, whiskers }: Box): number[] => [
  whiskers[0],
  ...quartiles,
  whiskers[1],
];

function formatSessions(boxes: readonly Box[]): string {
  const { min, max } = rangeOf(boxes.map(({ count }) => count))!;
  return min === max
    ? `${formatCount(min, 'session')} each.`
    : `${min} to ${formatCount(max, 'session')} each.`;
}

const groupOf = (metric: Metric, { label, arms }: Facet): BoxGroup => ({
  label,
  rows: arms.flatMap(({ look, sessions }) => {
    const box = boxOf(knownValues(sessions, metric.id));
    return box ? [{ look, box }] : [];
  }),
});
