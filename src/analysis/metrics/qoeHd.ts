import { qoeMetric } from '../qoeMetric.ts';

/** Favours HD. */
export const qoeHd = qoeMetric('hd', { id: 'qoe-hd', label: 'QoE HD', unit: 'per segment' });
