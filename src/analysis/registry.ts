import * as all from './metrics/index.ts';
import type { Metric } from './metric.ts';

const LAST = Number.MAX_SAFE_INTEGER;

/** Every metric: first those that tables show unasked, then the others by id. */
export const metrics: readonly Metric[] = Object.values(all).sort(
  (one: Metric, other: Metric) =>
    (one.headline ?? LAST) - (other.headline ?? LAST) || (one.id < other.id ? -1 : 1),
);
