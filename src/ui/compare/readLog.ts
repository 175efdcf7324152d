import type { MeasuredMetric } from '../../analysis/comparison/measuredMetrics.ts';
import type { SessionSeries } from '../../analysis/timeline/series.ts';
import type { SessionHeader } from '../../telemetry/schema/sessionLog.ts';

/** What the compare view keeps of a log: the events themselves stay with the worker that read them, and go. */
export interface ReadLog {
  readonly header: SessionHeader;
  readonly series: SessionSeries;
  readonly metrics: readonly MeasuredMetric[];
}
