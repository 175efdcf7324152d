import { trusted, type Markup } from './markup.ts';
import { element, px, tone } from '../figures/svg/element.ts';
import type { VerdictLine } from '../model/verdictLines.ts';
import { standIns } from '../sessionSummary.ts';
import { quantile } from '../../analysis/statistics/summaries.ts';
import { verdictLook } from '../verdictLook.ts';

interface StripOptions {
  readonly range: readonly [number, number];
  readonly margin: number;
  /** Right is always better for the viewer; the numbers keep their sign. */
  readonly better: 'higher' | 'lower' | null;
}

const WIDTH = 320;
const HEIGHT = 30;
const MIDDLE = 15;
/** Ticks closer than a pixel are one. */
const MAX_TICKS = 120;

/**
 * A comparison at a glance: a tick a pair, the 95 % interval as a bar, the mean as a ring; the line is no difference, the
 * wash around it what does not matter. What it shows stands in the sentence beside it.
 */
export function strip(line: VerdictLine, { range, margin, better }: StripOptions): Markup {
  const at = placing(range, better);
  const [left, right] = [at(-margin), at(margin)].sort((a, b) => a - b) as [number, number];
  const ticks = standIns(line.differences, MAX_TICKS).map((value) => `M${px(at(value))} 6V24`);
  const colour = tone(verdictLook(line.verdict).tone);
  return trusted(
    element('svg', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: 'strip', 'aria-hidden': 'true' }, [
      element('rect', { x: left, y: 3, width: Math.max(0, right - left), height: 24, fill: tone('grid') }),
      element('path', { d: `M${px(at(0))} 1V29`, stroke: tone('control-line'), 'stroke-width': 1.2 }),
      element('path', {
        d: ticks.join('') || 'M0 0',
        stroke: tone('ink-3'),
        'stroke-width': 1,
        'stroke-opacity': '0.45',
      }),
      ...(line.interval ? interval(line.interval.map(at), at(line.difference ?? 0), colour) : []),
    ]),
  );
}

const interval = (ends: readonly number[], mean: number, stroke: string): string[] => [
  element('path', {
    ...{ d: `M${px(Math.min(...ends))} ${MIDDLE}H${px(Math.max(...ends))}`, stroke, 'stroke-width': 4 },
    'stroke-linecap': 'round',
  }),
  element('circle', { cx: mean, cy: MIDDLE, r: 4.5, fill: tone('surface'), stroke, 'stroke-width': 2.2 }),
];

function placing(
  [min, max]: StripOptions['range'],
  better: StripOptions['better'],
): (value: number) => number {
  const share = (value: number): number => Math.min(1, Math.max(0, (value - min) / (max - min)));
  return (value) => 2 + (WIDTH - 4) * (better === 'lower' ? 1 - share(value) : share(value));
}

/** What the strips of several comparisons show, from the least to the most difference; one for all, so that they compare. */
export function stripRange(lines: readonly VerdictLine[], margin: number): readonly [number, number] {
  const ends = lines.flatMap(({ interval, differences }) => [
    ...(interval ?? []),
    // A few pairs far out would press all others into one line; they stand at the edge.
    ...(differences.length > 0 ? [quantile(differences, 0.05), quantile(differences, 0.95)] : []),
  ]);
  const [min, max] = [Math.min(0, -margin, ...ends), Math.max(0, margin, ...ends)];
  const span = max - min || 1;
  return [min - MARGIN * span, max + MARGIN * span];
}

const MARGIN = 0.06;
