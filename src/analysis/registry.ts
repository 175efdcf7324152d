import * as all from './metrics/index.ts';
import type { Metric } from './metric.ts';

/** Every metric, in the order in which tables show them. */
export const metrics: readonly Metric[] = Object.values(all);
