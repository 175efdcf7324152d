import { meanOf } from '../meanOf.ts';
import type { Metric } from '../metric.ts';
import { renderedSteps } from '../renderedSteps.ts';
import { unmeasured } from '../unmeasured.ts';

/** How far a switch goes. */
export const switchMagnitude: Metric = {
  id: 'switch-magnitude',
  label: 'step per switch',
  meaning: 'mean absolute change of bitrate at the changes of the rendered video rung',
  unit: 'kbit/s',
  better: 'lower',
  paper: '2020 letter §IV-B (fluctuation of the quality level); the mean per switch is ours',
  unknown: 'no video was rendered, or its rung never changed',
  of(log) {
    const steps = renderedSteps(log);
    if (!steps) return unmeasured('No video was rendered.');
    const value = meanOf(steps.map(Math.abs));
    return value === null ? unmeasured('The rung never changed.') : { value };
  },
};
