import type { SessionLog } from '../telemetry/schema/sessionLog.ts';

/** Unrecorded time: between a crash or reload and the next page load. */
export interface Gap {
  readonly fromMs: number;
  readonly toMs: number;
}

export const gapsOf = (parts: SessionLog['parts']): Gap[] =>
  parts.flatMap(({ startMs, gapMs }) =>
    gapMs > 0 ? [{ fromMs: Math.max(0, startMs - gapMs), toMs: startMs }] : [],
  );

/** Until when something that nobody saw end is known to have gone on: recording broke off there, or the log ends. */
export const lastSeenMs = (gaps: readonly Gap[], sinceMs: number, endMs: number): number =>
  gaps.find(({ fromMs }) => fromMs >= sinceMs)?.fromMs ?? Math.max(sinceMs, endMs);
