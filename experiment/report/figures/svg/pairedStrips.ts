import type { Metric } from '../../../../src/analysis/metrics/metric.ts';
import type { Verdict } from '../../../../src/analysis/statistics/verdict.ts';
import { thinned } from '../values.ts';
import { formatValue, withUnit, valueAxis, type ValueAxis } from './valueAxis.ts';
import { line, X_AXIS_PX, xAxis, place, type Frame, type Place } from './axes.ts';
import { element, escaped, px, tone, picture, WIDTH } from './element.ts';
import { text, fitted, textWidth } from './text.ts';
import { verdictLook } from '../../verdictLook.ts';

/** A comparison as a strip: its differences, and what they come to. */
export interface Strip {
  readonly name: string;
  readonly within: string;
  readonly differences: readonly number[];
  readonly mean: number;
  /** null: too few different values for one. */
  readonly interval: readonly [number, number] | null;
  /** In the metric's unit. */
  readonly margin: number;
  readonly verdict: Verdict | null;
}

interface About {
  readonly id: string;
  readonly title: string;
  readonly metric: Pick<Metric, 'label' | 'unit' | 'better'>;
  readonly range: { readonly min: number; readonly max: number };
}

const STRIP_PX = 46;
const HEAD_PX = 22;
/** More ticks than px show nothing. */
const MAX_TICKS = 120;

export function pairedStrips({ id, title, metric, range }: About, strips: readonly Strip[]): string {
  const axis = valueAxis({ ...range, unit: metric.unit });
  const frame: Frame = {
    left: 8,
    right: WIDTH - 8,
    top: HEAD_PX,
    bottom: HEAD_PX + strips.length * STRIP_PX + 4,
  };
  const x = place(axis, frame.left, frame.right);
  const lines = strips.map((strip) => formatSummary(strip, axis));
  return picture({ id, title, description: lines.join(' '), height: frame.bottom + X_AXIS_PX }, [
    ...sides(frame, x(0), metric.better),
    ...strips.map(({ margin }, index) =>
      element('rect', {
        class: 'margin',
        x: x(-margin),
        y: frame.top + index * STRIP_PX,
        width: x(margin) - x(-margin),
        height: STRIP_PX + (index === strips.length - 1 ? 4 : 0),
        fill: tone('grid'),
      }),
    ),
    ...xAxis(frame, axis, withUnit(`difference in ${metric.label}`, unitOf(metric.unit, axis))),
    line([x(0), frame.top], [x(0), frame.bottom], 'ink-3'),
    ...strips.map((strip, index) => stripMarks(strip, { top: frame.top + index * STRIP_PX, x, axis })),
  ]);
}

const unitOf = (unit: string, axis: ValueAxis): string => (unit === '%' ? 'percentage points' : axis.unit);

/** Which side is good for the viewer; a value keeps its own sign. */
function sides({ left, right, top }: Frame, zeroX: number, better: Metric['better']): string[] {
  const [before, after] = better === 'lower' ? ['better', 'worse'] : ['worse', 'better'];
  const y = top - 8;
  const [from, to] = [Math.max(left + 60, zeroX - 8), Math.min(right - 60, zeroX + 8)];
  return [
    text(`◂ ${before}`, { x: from, y, anchor: 'end', tone: 'ink-3' }),
    text(`${after} ▸`, { x: to, y, tone: 'ink-3' }),
  ];
}

function stripMarks(strip: Strip, { top, x, axis }: { top: number; x: Place; axis: ValueAxis }): string {
  const { word, sign, tone: token } = verdictLook(strip.verdict);
  const words = strip.verdict === null ? word : `${sign} ${word}`;
  const widthPx = WIDTH - 16 - textWidth(words) - 10;
  const y = top + 33;
  const name = `${strip.name}${strip.within === '' ? '' : `, ${strip.within}`}`;
  const ticks = thinned(strip.differences, MAX_TICKS).map((each) => `M${px(x(each))} ${px(y - 7)}v14`);
  return element('g', { class: 'strip' }, [
    text(fitted(name, widthPx), { x: 8, y: top + 17, tone: 'ink', strong: true, rim: true }),
    text(words, {
      x: WIDTH - 8,
      y: top + 17,
      anchor: 'end',
      tone: token,
      strong: strip.verdict !== null,
      rim: true,
    }),
    element('path', {
      class: 'pairs',
      d: ticks.join(''),
      stroke: tone('ink-3'),
      'stroke-opacity': 0.55,
      fill: 'none',
    }),
    ...(strip.interval ? [bar(strip.interval.map(x) as [number, number], y, tone(token))] : []),
    element('circle', {
      class: 'mean',
      cx: x(strip.mean),
      cy: y,
      r: 5,
      fill: tone('surface'),
      stroke: tone(token),
      'stroke-width': 2.5,
    }),
    element('title', {}, [escaped(formatSummary(strip, axis))]),
  ]);
}

const bar = ([from, to]: readonly [number, number], y: number, fill: string): string =>
  element('rect', {
    class: 'interval',
    x: from,
    y: y - 3,
    width: Math.max(1.5, to - from),
    height: 6,
    rx: 2,
    fill,
  });

function formatSummary(
  { name, within, mean, interval, differences, verdict }: Strip,
  axis: ValueAxis,
): string {
  const ends = interval?.map((end) => formatValue(end, axis));
  const sure = ends ? `95 % interval ${ends[0]!} to ${ends[1]!}` : 'no interval';
  const where = within === '' ? '' : `, ${within}`;
  return `${name}${where}: ${withUnit(formatValue(mean, axis), '')} ${axis.unit}, ${sure}, ${differences.length} pairs, ${verdictLook(verdict).word}.`;
}
