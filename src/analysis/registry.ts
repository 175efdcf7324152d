import * as all from './metrics/index.ts';
import type { Metric } from './metric.ts';

/** Every metric. */
export const metrics: readonly Metric[] = Object.values(all);
