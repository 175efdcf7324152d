import type { SessionHeader } from '../schema/sessionLog.ts';

/** Session time: ms since the session began, across reloads. */
export interface SessionClock {
  nowMs(): number;
  /** Session time of a `performance.now()` or Resource Timing value. */
  sessionMs(performanceMs: number): number;
}

/** µs: finer than any browser's clock, and it keeps the digits of a sum of floats out of the log. */
const PRECISION = 1000;

/**
 * Runs on `performance.now()`, so that a corrected system clock does not bend a session. Only the start of a part is
 * placed by the system clock, and never before the end of the part before.
 */
export function createSessionClock(
  { startedAtUnixMs }: SessionHeader['clock'],
  notBeforeMs = 0,
): SessionClock {
  const begunMs = performance.now();
  const partStartMs = Math.max(notBeforeMs, performance.timeOrigin + begunMs - startedAtUnixMs);
  const sessionMs = (performanceMs: number): number =>
    Math.max(0, Math.round((partStartMs + performanceMs - begunMs) * PRECISION) / PRECISION);
  return { nowMs: () => sessionMs(performance.now()), sessionMs };
}
