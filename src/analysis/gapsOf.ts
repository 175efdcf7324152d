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
