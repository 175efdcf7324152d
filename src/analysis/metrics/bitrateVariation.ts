import { pick } from '../../shared/registry.ts';
import { qoeModels } from '../../shared/qoe.ts';
import type { Metric } from '../metric.ts';
import { sessionQoe } from '../sessionQoe.ts';
import { unmeasured } from '../unmeasured.ts';

const linear = pick(qoeModels, 'lin');

/** The last term of the QoE with q = bitrate. */
export const bitrateVariation: Metric = {
  id: 'bitrate-variation',
  label: 'bitrate variation',
  meaning: 'Σ |R_{n+1} − R_n| of the bitrates of successive rendered segments, per segment after the first',
  unit: 'kbit/s',
  better: 'lower',
  paper: '2020 letter eq. 1, third term with q = R, and its Fig. 3; 2024 racing paper §V-B',
  unknown: 'ladder or segment duration is unknown, or at most one segment was played',
  of(log) {
    const qoe = sessionQoe(log, linear);
    return qoe.ok ? { value: (1000 * qoe.value.variation) / qoe.value.segments } : unmeasured(qoe.error);
  },
};
