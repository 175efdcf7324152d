import { tcpClassOf } from '../../../src/analysis/transport/protocol.ts';
import { quantile } from '../../../src/analysis/statistics/summaries.ts';
import { isRacing } from '../../../src/telemetry/transportModes.ts';
import type { ReportSource } from '../reportSource.ts';
import { rangeOf, thinned } from './values.ts';
import { formatValue, valueAxis, type ValueAxis } from './svg/valueAxis.ts';
import type { FigureMaker, ReportFigure } from './figure.ts';
import { X_AXIS_PX, xAxis, yAxis, yAxisPx, place, type Frame } from './svg/axes.ts';
import { legend, markers, type LegendItem } from './svg/armMarks.ts';
import { picture, WIDTH, tone } from './svg/element.ts';
import { formatCount, formatInteger } from '../../../src/shared/format.ts';

type Class = ReturnType<typeof tcpClassOf>;

/** A window of 30 s in which media of a known protocol flowed. */
interface Point {
  readonly session: string;
  readonly window: number;
  readonly class: Class;
  readonly tcpShare: number;
  readonly dropS: number;
  readonly stallS: number;
}

/** Look of each class: little TCP has QUIC's colour, much of it TCP's. */
const LOOKS = {
  low: { tone: 'protocol-h3', marker: 'circle', label: 'low' },
  medium: { tone: 'ink-2', marker: 'diamond', label: 'medium' },
  high: { tone: 'protocol-h2', marker: 'square', label: 'high' },
} as const;
const CLASSES = ['low', 'medium', 'high'] as const;
/** Maximum number of points of each class: more would be a blot. */
const MAX_POINTS = 160;
const PLOT_PX = 190;
const ID = 'racing-scatter';
const TITLE = 'Quality drops and stalls by TCP share';

/** Scatter of sessions that raced: a browser that may not use one of both protocols has no share that says anything. */
export const racingScatter: FigureMaker = {
  id: ID,
  label: TITLE,
  place: 70,
  draw(source) {
    const points = pointsOf(source);
    return points.length > 0 ? figureOf(points) : null;
  },
};

const pointsOf = ({ sessions }: ReportSource): Point[] =>
  sessions
    .filter(({ transport }) => isRacing(transport))
    .flatMap(({ id, windows }) =>
      windows.flatMap(({ tcpShare, qualityDropS, stallS }, index) =>
        tcpShare === null
          ? []
          : [
              {
                session: id,
                window: index + 1,
                class: tcpClassOf(tcpShare),
                tcpShare,
                dropS: qualityDropS,
                stallS,
              },
            ],
      ),
    );

/** A class with its medians over all of its windows. */
interface Group {
  readonly class: Class;
  readonly points: readonly Point[];
  readonly drawn: readonly Point[];
  readonly median: readonly [dropS: number, stallS: number];
}

function figureOf(points: readonly Point[]): ReportFigure {
  const groups = CLASSES.map((name) =>
    groupOf(
      name,
      points.filter((point) => point.class === name),
    ),
  ).filter((group) => group !== null);
  const calm = points.filter(isCalm).length;
  const drawn = groups.flatMap((group) => group.drawn);
  return {
    id: ID,
    title: TITLE,
    caption: `Windows of 30 s of racing sessions by the TCP share of their media bytes: low below 30 %, medium below 60 %, high. Large marks are medians. ${formatInteger(calm)} of ${formatInteger(points.length)} windows have neither drop nor stall.${drawn.length < points.length ? ` ${formatInteger(drawn.length)} are drawn: one without either, the others at equal steps.` : ''} As figure 5 of the 2024 paper.`,
    svg: drawing(groups),
    columns: ['class', 'TCP share', 'quality drop B, level·s', 'stall S, s', 'session', 'window'],
    rows: drawn.map((each) => [
      each.class,
      each.tcpShare,
      each.dropS,
      each.stallS,
      each.session,
      each.window,
    ]),
    sessions: [...new Set(points.map(({ session }) => session))],
  };
}

function groupOf(name: Class, points: readonly Point[]): Group | null {
  if (points.length === 0) return null;
  const median = (values: readonly number[]): number => quantile(Float64Array.from(values).sort(), 0.5);
  return {
    class: name,
    points,
    drawn: drawnOf(points),
    median: [median(points.map(({ dropS }) => dropS)), median(points.map(({ stallS }) => stallS))],
  };
}

/** Selects the points that are drawn. Windows without drop and stall lie all on one spot: one of them is enough. */
function drawnOf(points: readonly Point[]): readonly Point[] {
  const eventful = points
    .filter((point) => !isCalm(point))
    .sort((a, b) => a.dropS - b.dropS || a.stallS - b.stallS);
  return [...points.filter(isCalm).slice(0, 1), ...thinned(eventful, MAX_POINTS)];
}

const isCalm = ({ dropS, stallS }: Point): boolean => dropS === 0 && stallS === 0;

function drawing(groups: readonly Group[]): string {
  const all = groups.flatMap(({ drawn }) => drawn);
  const drops = axisOf(
    all.map(({ dropS }) => dropS),
    'level·s',
  );
  const stalls = axisOf(
    all.map(({ stallS }) => stallS),
    's',
  );
  const keys = legend(
    groups.map((group) => keyOf(group, drops, stalls)),
    'dot',
  );
  const top = keys.height + 28;
  const frame: Frame = { left: yAxisPx(stalls), right: WIDTH - 8, top, bottom: top + PLOT_PX };
  const [x, y] = [place(drops, frame.left, frame.right), place(stalls, frame.bottom, frame.top)];
  const description = groups.map((group) => formatSummary(group, drops, stalls)).join(' ');
  return picture({ id: ID, title: TITLE, description, height: frame.bottom + X_AXIS_PX }, [
    ...keys.marks,
    ...yAxis(frame, stalls, 'stall S, s per window'),
    ...xAxis(frame, drops, 'quality drop B, level·s per window'),
    // Low in front: it lies near the corner, where the others' points are many.
    ...groups.toReversed().map(({ class: name, drawn }) =>
      markers(
        LOOKS[name].marker,
        drawn.map((point) => [x(point.dropS), y(point.stallS)] as const),
        {
          sizePx: 6,
          class: name,
          fill: tone(LOOKS[name].tone),
          'fill-opacity': 0.4,
          stroke: tone(LOOKS[name].tone),
          'stroke-width': 0.75,
        },
      ),
    ),
    ...groups.map(({ class: name, median }) =>
      markers(LOOKS[name].marker, [[x(median[0]), y(median[1])]], {
        sizePx: 14,
        class: 'median',
        fill: tone(LOOKS[name].tone),
        stroke: tone('surface'),
        'stroke-width': 2,
      }),
    ),
  ]);
}

const axisOf = (values: readonly number[], unit: string): ValueAxis =>
  valueAxis({ ...rangeOf([0, ...values])!, unit, fromZero: true });

const keyOf = (group: Group, drops: ValueAxis, stalls: ValueAxis): LegendItem => ({
  label: `${group.class}, ${formatCount(group.points.length, 'window')}, median B ${formatValue(group.median[0], drops)}, S ${formatValue(group.median[1], stalls)}`,
  look: { ...LOOKS[group.class], under: null, dash: '' },
});

const formatSummary = ({ class: name, median }: Group, drops: ValueAxis, stalls: ValueAxis): string =>
  `${name}: median drop ${formatValue(median[0], drops)} level·s, median stall ${formatValue(median[1], stalls)} s.`;
