import type { Measured } from '../metric.ts';
import type { SessionLog } from '../../telemetry/schema/sessionLog.ts';
import { unmeasured } from '../unmeasured.ts';
import { runningMeans, type RunningMeans } from './runningMeans.ts';
import { sessionWindows } from './sessionWindows.ts';

/** Where a running mean of a session ends: the mean over all its windows. */
export function lastRunningMean(log: SessionLog, valueOf: (means: RunningMeans) => number | null): Measured {
  const last = runningMeans(sessionWindows(log)).at(-1);
  if (!last) return unmeasured('The session is shorter than one window of 30 s.');
  const value = valueOf(last);
  return value === null ? unmeasured('The video played in too few windows of 30 s.') : { value };
}
