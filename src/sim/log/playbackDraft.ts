import type { Draft, PlaybackEvent } from '../../telemetry/event.ts';

/** A state of playback as the log takes it; `liveLatencyMs` is null for what is not live. */
export function playbackDraft(
  state: PlaybackEvent['state'],
  at: { atMs: number; playheadMs: number; liveLatencyMs?: number | null },
): Draft<PlaybackEvent> {
  const { atMs, playheadMs, liveLatencyMs = null } = at;
  return {
    kind: 'playback',
    atMs,
    state,
    playheadMs,
    playbackRate: 1,
    liveLatencyMs,
    missing: liveLatencyMs === null ? { liveLatencyMs: 'not-applicable' } : {},
  };
}
