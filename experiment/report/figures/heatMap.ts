import type { Metric } from '../../../src/analysis/metrics/metric.ts';
import type { ReportSource } from '../reportSource.ts';
import { judgedMetrics } from './values.ts';
import { slug, type FigureMaker, type ReportFigure } from './figure.ts';
import { cellGrid, type Cell } from './svg/cellGrid.ts';
import { withUnit } from './svg/valueAxis.ts';
import { ruleLook } from '../../../src/charts/ruleLook.ts';
import { baselineOf, facetsOf, type Arm } from './facets.ts';
import { differenceOf } from '../../../src/analysis/statistics/verdict.ts';
import type { SessionSummary } from '../sessionSummary.ts';
import { formatSigned } from '../../../src/shared/format.ts';

/** Maximum number of rows: more are a book, and the other networks are in the tables. */
const MAX_ROWS = 40;

/** The primary metric on every network against a baseline: what a mean over all networks hides. */
export const heatMap: FigureMaker = {
  id: 'heat-map',
  label: 'Rule by network',
  place: 35,
  draw(source) {
    const [metric] = judgedMetrics(source.plan, []);
    if (!metric || metric.better === null) return null;
    const figures = heatMaps(source).flatMap((map) => figureOf({ source, metric }, map) ?? []);
    return figures.length > 0 ? figures : null;
  },
};

function figureOf(
  { source, metric }: { readonly source: ReportSource; readonly metric: Metric },
  { id: name, title: what, columns }: HeatMap,
): ReportFigure | null {
  const networks = [...new Set(source.sessions.map(({ network }) => network))];
  const cells = networks.map((network) =>
    columns.map(({ arm, base }) =>
      differenceCell([arm.sessions, base.sessions], { network, metricId: metric.id }),
    ),
  );
  const known = cells.flat().filter((cell) => cell !== null);
  if (known.length < 2) return null;
  const isRelative = known.every(({ percent }) => percent !== null);
  const shown = { known, isRelative, unit: isRelative ? '%' : metric.unit, better: metric.better };
  const named = { id: slug('heat-map', metric.id, name), title: `${what}: ${metric.label}` };
  return {
    ...named,
    caption: `${captionOf(shown)}${formatRest(networks.length)}`,
    svg: cellGrid({
      ...named,
      corner: shown.unit === '' ? 'difference' : shown.unit,
      description: formatSummary(shown),
      columns: columns.map(({ label }) => label),
      rows: networks.slice(0, MAX_ROWS).map((network, index) => ({
        label: network ?? 'no link',
        cells: cells[index]!.map((cell) => cell && drawn(cell, shown)),
      })),
    }),
    columns: [...COLUMNS, withUnit('mean difference', metric.unit), '% of the baseline’s mean'],
    rows: networks.flatMap((network, index) =>
      columns.map(({ name: column, arm, base }, at) => {
        const { pairs = 0, difference = null, percent = null } = cells[index]![at] ?? {};
        return [network, column, arm.name, base.name, pairs, difference, percent];
      }),
    ),
    sessions: [...new Set(columns.flatMap(({ arm, base }) => [...arm.sessions, ...base.sessions]))].map(
      ({ id }) => id,
    ),
  };
}

const COLUMNS = ['network', 'column', 'arm', 'baseline', 'pairs'];

/** What all cells of a map have in common. */
interface Shown {
  readonly known: readonly DifferenceCell[];
  readonly isRelative: boolean;
  readonly unit: string;
  readonly better: Metric['better'];
}

const captionOf = ({ isRelative, unit, better }: Shown): string =>
  `Mean difference of pairs on each network, in ${isRelative ? '% of the baseline’s mean there' : unit || 'the metric’s own unit'}; ${better ?? 'neither'} is better. The strongest colour is the largest difference. Exploratory: no cell is a verdict.`;

/** Says how many networks are drawn, where not all are. The table has them all. */
const formatRest = (networks: number): string =>
  networks > MAX_ROWS ? ` ${MAX_ROWS} of ${networks} networks are drawn.` : '';

const numberOf = ({ percent, difference }: DifferenceCell, { isRelative }: Shown): number =>
  isRelative ? percent! : difference;

const largestOf = (shown: Shown): number =>
  shown.known.reduce((max, cell) => Math.max(max, Math.abs(numberOf(cell, shown))), 0);

function drawn(cell: DifferenceCell, shown: Shown): Cell {
  const value = numberOf(cell, shown);
  const largest = largestOf(shown);
  const good = largest === 0 ? 0 : value / largest;
  return { text: formatSigned(value, digitsOf(largest)), good: shown.better === 'lower' ? -good : good };
}

const digitsOf = (largest: number): number => (largest >= 10 ? 0 : largest >= 1 ? 1 : 2);

function formatSummary(shown: Shown): string {
  const values = shown.known.map((cell) => numberOf(cell, shown)).sort((a, b) => a - b);
  const digits = digitsOf(largestOf(shown));
  return `From ${formatSigned(values[0]!, digits)} to ${formatSigned(values.at(-1)!, digits)} ${shown.unit}.`;
}

/** Maximum number of columns: more leave no space for the numbers. */
const MAX_COLUMNS = 7;

/** A column: an arm, and the one that it is compared with. */
interface HeatColumn {
  readonly label: string;
  readonly name: string;
  readonly arm: Arm;
  readonly base: Arm;
}

interface HeatMap {
  readonly id: string;
  readonly title: string;
  readonly columns: readonly HeatColumn[];
}

/** Makes the maps. Rules are columns: of one transport after the other, or of one that the others are compared with. */
function heatMaps(source: ReportSource): HeatMap[] {
  const { compare } = source.plan.campaign;
  const baseline = baselineOf(source.plan);
  const facets = facetsOf(source);
  const columns = facets.flatMap((facet) => {
    const base = facet.arms.find(({ name }) => name === baseline);
    return base ? facet.arms.filter((arm) => arm !== base).map((arm) => ({ facet, arm, base })) : [];
  });
  const groups =
    compare === 'rules' ? facets.map(({ name }) => name) : [...new Set(columns.map(({ arm }) => arm.name))];
  return groups.flatMap((group) => {
    const mine = columns.filter(({ facet, arm }) => (compare === 'rules' ? facet.name : arm.name) === group);
    const what =
      compare === 'rules' ? `Rules against ${ruleLook(baseline).label}` : `${group} against ${baseline}`;
    const over = compare === 'rules' && facets.length > 1 ? ` over ${group}` : '';
    return chunked(mine, MAX_COLUMNS).map((part, index) => ({
      id: slug(group, index === 0 ? '' : String(index + 1)),
      title: `${what}${over}`,
      columns: part.map(({ facet, arm, base }) => ({
        arm,
        base,
        name: compare === 'rules' ? arm.name : facet.name,
        label: shortName(compare === 'rules' ? arm.name : facet.name),
      })),
    }));
  });
}

/** Shortens a column's name: rules have their three letters, anything else stays as it is. */
const shortName = (name: string): string => {
  const [first = '', ...others] = name.split('/');
  return [/^h[123](-|$)/.test(first) || first === '' ? first || 'all' : ruleLook(first).code, ...others].join(
    ' ',
  );
};

const chunked = <Entry>(entries: readonly Entry[], max: number): Entry[][] =>
  Array.from({ length: Math.ceil(entries.length / max) }, (_, part) =>
    entries.slice(part * max, (part + 1) * max),
  );

/** Mean difference of two arms over the pairs of one network. */
interface DifferenceCell {
  readonly pairs: number;
  /** Mean over the pairs, first less second, in the metric's unit. */
  readonly difference: number;
  /** Mean difference in % of the second's mean; null where that mean is not above 0. */
  readonly percent: number | null;
}

/** Computes the cell of two arms on one network; null without a pair whose values are both known. */
export function differenceCell(
  [firsts, seconds]: readonly [readonly SessionSummary[], readonly SessionSummary[]],
  { network, metricId }: { readonly network: string | null; readonly metricId: string },
): DifferenceCell | null {
  const on = (sessions: readonly SessionSummary[]): SessionSummary[] =>
    sessions.filter((each) => each.network === network);
  const byPair = new Map(on(seconds).map(({ design, values }) => [design.pair, values[metricId] ?? null]));
  let [pairs, sum, base] = [0, 0, 0];
  for (const { design, values } of on(firsts)) {
    const [one, other] = [values[metricId] ?? null, byPair.get(design.pair) ?? null];
    if (one === null || other === null) continue;
    pairs += 1;
    sum += differenceOf(one, other);
    base += other;
  }
  if (pairs === 0) return null;
  return { pairs, difference: sum / pairs, percent: base > 0 ? (100 * sum) / base : null };
}
