import { ccdf, type CcdfPoint, quantile } from '../../../src/analysis/statistics/summaries.ts';
import {
  crossCorrelation,
  type CrossCorrelation,
} from '../../../src/analysis/statistics/crossCorrelation.ts';
import type { Axis } from '../../../src/charts/chart.ts';
import type { ReportSource } from '../reportSource.ts';
import type { SessionSummary, SummaryWindow } from '../sessionSummary.ts';
import type { ArmLook } from './facets.ts';
import { thinned } from './values.ts';
import type { FigureMaker, ReportFigure } from './figure.ts';
import { X_AXIS_PX, xAxis, yAxis, yAxisPx, place, type Frame, type Place } from './svg/axes.ts';
import { px, picture, WIDTH } from './svg/element.ts';
import { legend, lookedLine } from './svg/armMarks.ts';
import { formatCount, formatNumber } from '../../../src/shared/format.ts';

const ID = 'tcp-share-correlation';
const TITLE = 'TCP share and what the viewer sees';
const PLOT_PX = 150;
/** Shifts of each session that enter the null, at equal steps of rank: every session counts as much. */
const SHIFTS = 19;
const MAX_POINTS = 120;

interface Response {
  readonly name: string;
  readonly of: (window: SummaryWindow) => number;
  readonly tone: string;
}

const RESPONSES: readonly Response[] = [
  { name: 'quality drop B', of: ({ qualityDropS }) => qualityDropS, tone: 'ink' },
  { name: 'stall S', of: ({ stallS }) => stallS, tone: 'stall' },
];

const TENTHS: Axis = {
  scale: 'linear',
  bottom: 0,
  top: 1,
  ticks: [0, 0.25, 0.5, 0.75, 1].map((value) => ({ value, label: String(value), line: true })),
};
const SHARES: Axis = {
  ...TENTHS,
  ticks: TENTHS.ticks.map(({ value }) => ({ value, label: `${100 * value}` })),
};

/** Never without its shifts: the greatest of many lags is large by chance. */
export const correlations: FigureMaker = {
  id: ID,
  label: 'TCP share × stall and quality',
  place: 80,
  draw(source) {
    const curves = RESPONSES.map((response) => curveOf(response, source)).filter(
      ({ found }) => found.length > 0,
    );
    return curves.length > 0 ? figureOf(curves) : null;
  },
};

interface Curve extends Response {
  /** By their maxima, ascending. */
  readonly found: readonly { readonly session: string; readonly value: CrossCorrelation }[];
  readonly maxima: readonly number[];
  readonly shifted: readonly number[];
}

function curveOf(response: Response, { sessions }: ReportSource): Curve {
  const found = sessions
    .flatMap((session) => foundIn(session, response) ?? [])
    .sort((one, other) => one.value.maximum - other.value.maximum);
  return {
    ...response,
    found,
    maxima: found.map(({ value }) => value.maximum),
    shifted: found.flatMap(({ value }) => thinned(value.shiftMaxima, SHIFTS)),
  };
}

function foundIn({ id, windows }: SessionSummary, { of }: Response): Curve['found'][number] | null {
  const { value } = crossCorrelation(
    windows.map(({ tcpShare }) => tcpShare),
    windows.map(of),
  );
  return value && { session: id, value };
}

function figureOf(curves: readonly Curve[]): ReportFigure {
  const sessions = [...new Set(curves.flatMap(({ found }) => found.map(({ session }) => session)))];
  return {
    id: ID,
    title: TITLE,
    caption: `The share of sessions whose TCP share correlates at least this much with quality drops and with stalls, per window of 30 s, at the best lag within ±8 windows. Medians are next to the names (${formatCount(sessions.length, 'session')} of 10 min or more with both). Dashed: the same series, shifted circularly${formatShift(curves)}. Only values to the right of the dashed line mean anything. As figure 9 of the 2024 paper.`,
    svg: drawing(curves),
    columns: ['series', 'session', 'maximum', 'lag, windows', 'windows', 'share of shifts larger'],
    rows: curves.flatMap(({ name, found }) =>
      thinned(found, MAX_POINTS).map(({ session, value }) => [
        ...[name, session, value.maximum, value.lag, value.windows, value.shareOfShiftsLarger],
      ]),
    ),
    sessions,
  };
}

/** Below 26 min the shifted series meet what correlates once more, so that the dashed line lies too far to the right. */
function formatShift(curves: readonly Curve[]): string {
  const all = curves.flatMap(({ found }) => found);
  const over = all.filter(({ value }) => !value.areMaximaApart).length;
  if (over === 0) return ' so far that only chance is left';
  const whose = over === all.length ? 'these sessions are' : `${over} of ${all.length} are`;
  return `, but ${whose} too short for that (26 min are needed), so the dashed line may be too far to the right`;
}

const looksOf = ({ name, tone }: Curve): readonly [seen: ArmLook, shifted: ArmLook] => [
  { label: name, tone, under: null, dash: '', marker: 'circle' },
  { label: `${name}, shifted`, tone, under: null, dash: '2 3', marker: 'bar' },
];

function drawing(curves: readonly Curve[]): string {
  const lines = curves.flatMap((curve) => {
    const [seen, shifted] = looksOf(curve);
    return [
      { look: seen, values: curve.maxima },
      { look: shifted, values: curve.shifted },
    ];
  });
  const medians = lines.map(({ values }) => formatNumber(quantile(Float64Array.from(values).sort(), 0.5), 2));
  const keys = legend(
    lines.map(({ look }, index) => ({ look, label: `${look.label}  ${medians[index]!}` })),
    'plain',
  );
  const top = keys.height + 28;
  const frame: Frame = { left: yAxisPx(SHARES), right: WIDTH - 8, top, bottom: top + PLOT_PX };
  const [x, y] = [place(TENTHS, frame.left, frame.right), place(SHARES, frame.bottom, frame.top)];
  const description = `Medians: ${lines.map(({ look }, index) => `${look.label} ${medians[index]!}`).join('; ')}.`;
  return picture({ id: ID, title: TITLE, description, height: frame.bottom + X_AXIS_PX }, [
    ...keys.marks,
    ...yAxis(frame, SHARES, '% of sessions with at least this value'),
    ...xAxis(frame, TENTHS, 'maximum cross-correlation'),
    ...lines.map(({ look, values }) =>
      lookedLine(look, fallingPath(thinned(ccdf(values), MAX_POINTS), { x, y })),
    ),
  ]);
}

/** From all at the left end down to none behind the greatest. */
function fallingPath(points: readonly CcdfPoint[], { x, y }: { x: Place; y: Place }): string {
  const steps = points.map(({ value, share }) => `V${px(y(share))}H${px(x(value))}`);
  return `M${px(x(0))} ${px(y(1))}${steps.join('')}V${px(y(0))}`;
}
