import { qoeMetric } from '../qoeMetric.ts';

/** Doubling the bitrate is worth the same everywhere on the ladder. */
export const qoeLog = qoeMetric('log', { id: 'qoe-log', label: 'QoE log', unit: 'per segment' });
