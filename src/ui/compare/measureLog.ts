import { measuredMetrics } from '../../analysis/comparison/measuredMetrics.ts';
import { seriesOf } from '../../analysis/timeline/appendEvent.ts';
import type { SessionLog } from '../../telemetry/schema/sessionLog.ts';
import type { ReadLog } from './openLogs.ts';

/** What the compare view shows of a log. */
export function measureLog(log: SessionLog): ReadLog {
  const { events, ...header } = log;
  return { header, series: seriesOf({ ...header, events }), metrics: measuredMetrics(log) };
}
