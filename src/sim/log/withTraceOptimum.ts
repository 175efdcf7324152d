import type { SessionLog } from '../../telemetry/schema/sessionLog.ts';

/** The log of a session of the chunk model, told the offline optimum of its linear QoE: the sum without the first segment. */
export function withTraceOptimum(log: SessionLog, traceOptimum: number): SessionLog {
  const known = Object.entries(log.environment.missing).filter(([field]) => field !== 'traceOptimum');
  const missing = Object.fromEntries(known);
  return { ...log, environment: { ...log.environment, traceOptimum, missing } };
}
