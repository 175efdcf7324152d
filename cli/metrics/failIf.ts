import { InvalidArgumentError } from 'commander';
import { metricNumber } from '../../experiment/run/compareTable.ts';
import type { Metric } from '../../src/analysis/metrics/metric.ts';
import { metrics } from '../../src/analysis/metrics/registry.ts';
import { pick } from '../../src/shared/registry.ts';
import type { SessionLog } from '../../src/telemetry/schema/sessionLog.ts';
import { listOf } from '../options.ts';

/** A condition that no session may meet. */
export interface Condition {
  readonly metric: Metric;
  readonly comparison: keyof typeof COMPARISONS;
  /** In the unit of the metric. */
  readonly limit: number;
}

const COMPARISONS = {
  '>=': (value: number, limit: number) => value >= limit,
  '<=': (value: number, limit: number) => value <= limit,
  '>': (value: number, limit: number) => value > limit,
  '<': (value: number, limit: number) => value < limit,
} as const;

const TEXT = /^\s*([^\s<>=]+)\s*(>=|<=|>|<)\s*(\S+)\s*$/;

/** A parser for a condition, `rebuffer-rate > 1`, of an option that can be repeated. */
export function conditionList(text: string, before: readonly Condition[] = []): readonly Condition[] {
  const [, id = '', comparison, number = ''] = TEXT.exec(text) ?? [];
  if (!isComparison(comparison) || !Number.isFinite(Number(number)))
    throw new InvalidArgumentError(
      '--fail-if takes a metric, one of > >= < <=, and a number, as in "rebuffer-rate > 1".',
    );
  const [known] = listOf('metric', metrics)(id);
  return [...before, { metric: pick(metrics, known!), comparison, limit: Number(number) }];
}

const isComparison = (text: string | undefined): text is Condition['comparison'] =>
  text !== undefined && Object.hasOwn(COMPARISONS, text);

/**
 * Why a session fails, a sentence for each condition that it meets. A metric without a value fails, too: a check that
 * could not be made has not been passed.
 */
export const failuresOf = (log: SessionLog, conditions: readonly Condition[]): string[] =>
  conditions.flatMap(({ metric, comparison, limit }) => {
    const { value, why } = metric.of(log);
    const asked = `${metric.id} ${comparison} ${limit}`;
    if (value === null) return [`--fail-if "${asked}" cannot be checked. ${why ?? ''}`.trimEnd()];
    return COMPARISONS[comparison](value, limit)
      ? [`--fail-if "${asked}": ${metric.id} is ${exactly(metric, value)}.`]
      : [];
  });

/** With its decimals and unit. The whole number stands beside a rounded one: 1.04 is shown as 1.0, and is above 1. */
function exactly(metric: Metric, value: number): string {
  const shown = metricNumber(metric, value);
  const unit = metric.unit === '' ? '' : ` ${metric.unit}`;
  return Number(shown) === value ? `${shown}${unit}` : `${shown}${unit} (${value})`;
}
