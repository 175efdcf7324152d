import { InvalidArgumentError } from 'commander';
import { metricNumber } from '../../experiment/runner/metricCells.ts';
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
 * Why a session fails, a sentence for each condition that it meets. A metric without a value fails, too, and so does one whose
 * value is at least so large where a greater one would decide otherwise: a check that could not be made has not been passed.
 */
export const failuresOf = (log: SessionLog, conditions: readonly Condition[]): string[] =>
  conditions.flatMap(({ metric, comparison, limit }) => {
    const { value, lowerBound = false, why } = metric.of(log);
    const asked = `${metric.id} ${comparison} ${limit}`;
    if (value === null) return [`--fail-if "${asked}" cannot be checked. ${why ?? ''}`.trimEnd()];
    const meets = COMPARISONS[comparison](value, limit);
    const shown = `${metric.id} is ${lowerBound ? 'at least ' : ''}${exactly(metric, value)}.`;
    if (lowerBound && meets !== COMPARISONS[comparison](Infinity, limit))
      return [`--fail-if "${asked}" cannot be checked: ${shown}`];
    return meets ? [`--fail-if "${asked}": ${shown}`] : [];
  });

/** With its decimals and unit. The whole number stands beside a rounded one: 1.04 is shown as 1.0, and is above 1. */
function exactly(metric: Metric, value: number): string {
  const shown = metricNumber(metric, value);
  const unit = metric.unit === '' ? '' : ` ${metric.unit}`;
  return Number(shown) === value ? `${shown}${unit}` : `${shown}${unit} (${value})`;
}
