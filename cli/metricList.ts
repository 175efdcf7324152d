import { InvalidArgumentError } from 'commander';
import { listOf } from './options.ts';
import type { Metric } from '../src/analysis/metrics/metric.ts';
import { metrics } from '../src/analysis/metrics/registry.ts';
import { pick } from '../src/shared/registry.ts';

/** Reads `--metrics`: ids with commas between, or `all`. */
export function metricList(text: string): readonly Metric[] {
  if (text.trim() === 'all') return metrics;
  try {
    return listOf('metric', metrics)(text).map((id) => pick(metrics, id));
  } catch (error) {
    if (!(error instanceof InvalidArgumentError)) throw error;
    throw new InvalidArgumentError(`${error.message.replace(/\.$/, '')}; or all (docs/metrics.md).`);
  }
}
