import { metrics } from '../metrics/registry.ts';
import type { Metric } from '../metrics/metric.ts';
import type { SessionLog } from '../../telemetry/schema/sessionLog.ts';

/** One metric of one session, as plain data that may leave the thread that measured it. */
export interface MeasuredMetric extends Pick<Metric, 'id' | 'label' | 'meaning' | 'unit' | 'better'> {
  readonly decimals: number;
  readonly isHeadline: boolean;
  /** null where the log does not contain it; `why` then says so in a sentence. */
  readonly value: number | null;
  /** The true value may be greater. */
  readonly lowerBound: boolean;
  readonly why: string | null;
}

/** Every registered metric of a log, in the registry's order. */
export const measuredMetrics = (log: SessionLog): MeasuredMetric[] =>
  metrics.map(({ id, label, meaning, unit, better, headline, decimals, unknown, of }) => {
    const { value, lowerBound = false, why } = of(log);
    return {
      id,
      label,
      meaning,
      unit,
      better,
      decimals: decimals ?? (unit === '%' ? 1 : 0),
      isHeadline: headline !== undefined,
      value,
      lowerBound,
      why: value === null ? (why ?? unknown) : null,
    };
  });
