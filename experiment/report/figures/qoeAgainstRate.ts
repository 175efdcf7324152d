import { metrics } from '../../../src/analysis/metrics/registry.ts';
import type { ReportSource } from '../reportSource.ts';
import { boxOf, knownValues, rangeOf, type Box } from './values.ts';
import { facetsOf, type Arm, type Facet } from './facets.ts';
import { slug, type FigureMaker, type ReportFigure } from './figure.ts';
import { formatValue, withUnit, valueAxis, type ValueAxis } from './svg/valueAxis.ts';
import { X_AXIS_PX, xAxis, yAxis, yAxisPx, place, type Frame } from './svg/axes.ts';
import { element, px, tone, picture, WIDTH } from './svg/element.ts';
import { legend, lookedLine, markers } from './svg/armMarks.ts';
import type { Network } from '../../design/plan.ts';
import type { SessionSummary } from '../sessionSummary.ts';

const METRIC = 'qoe-linear';
const PLOT_PX = 150;
/** Between the bars of arms at the same rate. */
const DODGE_PX = 5;

/** What each arm makes of a faster network. */
export const qoeAgainstRate: FigureMaker = {
  id: 'qoe-against-rate',
  label: 'QoE against the rate of the network',
  place: 50,
  draw(source) {
    const bins = binsOf(source);
    if (bins.length < 2) return null;
    const facets = facetsOf(source).map((facet) => ({ facet, lines: linesOf(facet, bins) }));
    const range = rangeOf(
      facets.flatMap(({ lines }) =>
        lines.flatMap(({ points }) => points.flatMap(({ box }) => box.quartiles)),
      ),
    );
    if (!range) return null;
    const metric = metrics.find(({ id }) => id === METRIC)!;
    const axes = {
      rate: valueAxis({ min: 0, max: bins.at(-1)!.rateKbps, unit: 'kbit/s', fromZero: true }),
      qoe: valueAxis({ ...range, unit: metric.unit }),
    };
    return facets
      .filter(({ lines }) => lines.length > 0)
      .map(({ facet, lines }) => figureOf(facet, lines, axes));
  },
};

function binsOf({ plan, sessions }: ReportSource): RateBin[] {
  const played = new Set(sessions.map(({ network }) => network));
  const rates = plan.networks
    .filter(({ name }) => played.has(name))
    .flatMap((network) => {
      const rate = networkRate(network);
      return rate === null ? [] : [[network.name, rate] as const];
    });
  return rateBins(new Map(rates));
}

interface Line extends Arm {
  readonly points: readonly { readonly rateKbps: number; readonly box: Box }[];
}

const linesOf = ({ arms }: Facet, bins: readonly RateBin[]): Line[] =>
  arms
    .map((arm) => ({
      ...arm,
      points: bins.flatMap(({ rateKbps, has }) => {
        const box = boxOf(knownValues(arm.sessions.filter(has), METRIC));
        return box ? [{ rateKbps, box }] : [];
      }),
    }))
    .filter(({ points }) => points.length > 0);

interface Axes {
  readonly rate: ValueAxis;
  readonly qoe: ValueAxis;
}

function figureOf({ name, label }: Facet, lines: readonly Line[], axes: Axes): ReportFigure {
  const id = slug('qoe-against-rate', label === '' ? '' : name);
  const title = `QoE against rate${label === '' ? '' : `: ${label}`}`;
  return {
    id,
    title,
    caption:
      'Linear QoE by the mean rate of the network (of many networks: in groups of neighbouring rates). Marks are medians over the sessions, bars their quartiles.',
    svg: drawing({ id, title, axes }, lines),
    columns: [
      'arm',
      'rate, kbit/s',
      'sessions',
      'first quartile',
      withUnit('median', axes.qoe.unit),
      'third quartile',
    ],
    rows: lines.flatMap((line) =>
      line.points.map(({ rateKbps, box }) => [line.name, rateKbps, box.count, ...box.quartiles]),
    ),
    sessions: lines.flatMap(({ sessions }) => sessions.map((session) => session.id)),
  };
}

function drawing(
  { id, title, axes }: { id: string; title: string; axes: Axes },
  lines: readonly Line[],
): string {
  const keys = legend(lines, 'line');
  const top = keys.height + 28;
  const frame: Frame = { left: yAxisPx(axes.qoe), right: WIDTH - 12, top, bottom: top + PLOT_PX };
  const [x, y] = [place(axes.rate, frame.left, frame.right), place(axes.qoe, frame.bottom, frame.top)];
  const marks = lines.flatMap(({ look, points }, index) => {
    const aside = (index - (lines.length - 1) / 2) * DODGE_PX;
    const spots = points.map(({ rateKbps, box }) => [x(rateKbps) + aside, y(box.quartiles[1])] as const);
    const bars = points.map(
      ({ box: { quartiles } }, at) => `M${px(spots[at]![0])} ${px(y(quartiles[0]))}V${px(y(quartiles[2]))}`,
    );
    return [
      element('path', {
        class: 'quartiles',
        d: bars.join(''),
        stroke: tone(look.tone),
        'stroke-opacity': 0.6,
        'stroke-width': 2.5,
      }),
      lookedLine(
        look,
        spots.map(([atX, atY], at) => `${at === 0 ? 'M' : 'L'}${px(atX)} ${px(atY)}`).join(''),
      ),
      markers(look.marker, spots, {
        sizePx: 8,
        class: 'median',
        fill: tone(look.tone),
        stroke: tone('surface'),
      }),
    ];
  });
  return picture({ id, title, description: formatSummary(lines, axes), height: frame.bottom + X_AXIS_PX }, [
    ...keys.marks,
    ...yAxis(frame, axes.qoe, withUnit('linear QoE', axes.qoe.unit)),
    ...xAxis(frame, axes.rate, withUnit('mean rate of the network', axes.rate.unit)),
    ...marks,
  ]);
}

const formatSummary = (lines: readonly Line[], { rate, qoe }: Axes): string =>
  lines
    .map(({ look, points }) => {
      const [first, last] = [points[0]!, points.at(-1)!];
      const at = (point: typeof first): string =>
        `${formatValue(point.box.quartiles[1], qoe)} at ${formatValue(point.rateKbps, rate)} ${rate.unit}`;
      return `${look.label}: ${points.length === 1 ? at(first) : `${at(first)}, ${at(last)}`}.`;
    })
    .join(' ');

/** Mean downlink rate of a network over its steps, kbit/s; null where a step has no limit. */
export function networkRate({ profile }: Network): number | null {
  let [kbit, lengthMs] = [0, 0];
  for (const { durationMs, downKbps } of profile.steps) {
    if (downKbps === null) return null;
    kbit += (downKbps * durationMs) / 1000;
    lengthMs += durationMs;
  }
  return lengthMs > 0 ? (1000 * kbit) / lengthMs : null;
}

/** Sessions of networks about as fast as each other. */
interface RateBin {
  /** Mean over the networks, kbit/s. */
  readonly rateKbps: number;
  readonly has: (session: Pick<SessionSummary, 'network'>) => boolean;
}

/** More points on a line than this are hard to follow. */
const MAX_BINS = 9;

/** The networks by their rates, ascending: one bin for each different rate, or bins of about as many networks each. */
export function rateBins(rates: ReadonlyMap<string, number>): RateBin[] {
  const different = [...new Set(rates.values())].sort((a, b) => a - b);
  const bins = Math.min(MAX_BINS, different.length);
  return Array.from({ length: bins }, (_, bin) => {
    const mine = different.slice(
      Math.floor((bin * different.length) / bins),
      Math.floor(((bin + 1) * different.length) / bins),
    );
    return {
      rateKbps: mine.reduce((sum, rate) => sum + rate, 0) / mine.length,
      has: ({ network }) => network !== null && mine.includes(rates.get(network) ?? NaN),
    };
  });
}
