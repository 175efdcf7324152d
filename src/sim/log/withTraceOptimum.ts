import type { SessionLog } from '../../telemetry/schema/sessionLog.ts';

/** Adds the offline optimum of the linear QoE to a log of the chunk model: the sum without the first segment. */
export function withTraceOptimum(log: SessionLog, traceOptimum: number): SessionLog {
  const known = Object.entries(log.environment.missing).filter(([field]) => field !== 'traceOptimum');
  const missing = Object.fromEntries(known);
  return { ...log, environment: { ...log.environment, traceOptimum, missing } };
}
