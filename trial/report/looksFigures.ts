import {
  line,
  place,
  X_AXIS_PX,
  xAxis,
  yAxis,
  yAxisPx,
  type Frame,
} from '../../experiment/report/figures/svg/axes.ts';
import { element, picture, px, tone, WIDTH } from '../../experiment/report/figures/svg/element.ts';
import { valueAxis, withUnit } from '../../experiment/report/figures/svg/valueAxis.ts';
import { formatCount } from '../../src/shared/format.ts';
import type { JudgedEffect } from '../tell/effects.ts';
import type { TrialReport } from '../tell/trialReport.ts';

const HEIGHT = 240;

/** Draws the difference with its interval at each look, and the margin as a band; one picture for each arm with looks. */
export const looksFigures = ({ primary, trial }: TrialReport): string[] =>
  primary
    .filter(({ looks }) => looks.length > 0)
    .map((effect) => drawEffect(effect, trial.primary.margin, trial.stopping.days));

function drawEffect({ metric, arm, against, looks }: JudgedEffect, margin: number, days: number): string {
  const ends = looks.flatMap(({ interval }) => interval);
  const y = valueAxis({ min: Math.min(-margin, ...ends), max: Math.max(margin, ...ends), unit: metric.unit });
  const x = valueAxis({ min: 0, max: days, unit: '', fromZero: true });
  const frame: Frame = { left: yAxisPx(y), right: WIDTH - 8, top: 26, bottom: HEIGHT - X_AXIS_PX };
  const [atX, atY] = [place(x, frame.left, frame.right), place(y, frame.bottom, frame.top)];
  const unit = metric.unit === '%' ? 'percentage points' : metric.unit;
  return picture(
    {
      id: `looks-${arm}`,
      title: `${arm} against ${against} at each look`,
      description: `The difference in ${metric.label} with its always-valid interval at ${formatCount(looks.length, 'look')}. The band is the margin.`,
      height: HEIGHT,
    },
    [
      element('rect', {
        x: frame.left,
        y: atY(margin),
        width: frame.right - frame.left,
        height: atY(-margin) - atY(margin),
        fill: tone('grid'),
      }),
      ...yAxis(frame, y, withUnit(`difference in ${metric.label}`, unit)),
      ...xAxis(frame, x, 'day'),
      line([frame.left, atY(0)], [frame.right, atY(0)], 'ink-3'),
      ...looks.flatMap(({ day, difference, interval: [min, max] }) => [
        line([atX(day), atY(min)], [atX(day), atY(max)], 'protocol-h3'),
        element('circle', { cx: px(atX(day)), cy: px(atY(difference)), r: 3, fill: tone('protocol-h3') }),
      ]),
    ],
  );
}
