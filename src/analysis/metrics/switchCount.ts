import type { Metric } from '../metric.ts';
import { renderedSteps } from '../renderedSteps.ts';
import { unmeasured } from '../unmeasured.ts';

/** Changes of the rendered video rung; the first rung of a session is not a change. */
export const switchCount: Metric = {
  id: 'switches',
  label: 'switches',
  meaning: 'number of changes of the rendered video rung; the first rung is not a change',
  unit: '',
  better: 'lower',
  paper: '2019 study of DASH over QUIC parameters §IV-A (number of changes in quality level)',
  unknown: 'no video was rendered',
  headline: 4,
  of(log) {
    const steps = renderedSteps(log);
    return steps ? { value: steps.length } : unmeasured('No video was rendered.');
  },
};
