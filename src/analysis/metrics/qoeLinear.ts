import { qoeMetric } from '../qoeMetric.ts';

/** The QoE of the 2020 letter. */
export const qoeLinear = qoeMetric('lin', {
  id: 'qoe-linear',
  label: 'QoE linear',
  unit: 'Mbit/s per segment',
  headline: 5,
});
