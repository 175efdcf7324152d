import type { MediaPlayerClass } from 'dashjs';
import { createPauses } from '../abr/ruleInput.ts';
import type { MediaType, RuleEvent } from '../abr/rule.ts';
import { msFromSeconds } from '../shared/units.ts';
import type { Telemetry } from '../telemetry/shell/telemetry.ts';
import type { SessionEvent } from '../telemetry/schema/sessionLog.ts';
import { downloadInput } from '../telemetry/downloadInput.ts';

export interface RuleWatch {
  /** The pause since the last download of this type, if it is one; the next call counts from here. */
  idleBefore(mediaType: MediaType, nowMs: number): RuleEvent | null;
  dispose(): void;
}

/** Turns what the recording and dash.js report into the events that rules receive. */
export function watchForRules({
  player,
  telemetry,
  rungOf,
  onEvent,
}: {
  player: MediaPlayerClass;
  telemetry: Pick<Telemetry, 'subscribe' | 'nowMs'>;
  rungOf: (mediaType: MediaType, representationId: string | null) => number | null;
  onEvent: (event: RuleEvent) => void;
}): RuleWatch {
  const pauses = createPauses();
  const onRecorded = (event: SessionEvent): void => {
    if (event.kind === 'request' && event.mediaType !== null)
      pauses.busyUntil(event.mediaType, event.lastByteMs ?? event.endMs ?? event.atMs);
    const input = inputOf(event, rungOf);
    if (input) onEvent(input);
  };
  // Not the recorded seek: that one is finished when playback goes on, and the rule decides before.
  const onSeeking = ({ seekTime }: { seekTime?: number }): void => {
    if (typeof seekTime !== 'number' || !Number.isFinite(seekTime)) return;
    onEvent({ kind: 'seek', atMs: telemetry.nowMs(), toMs: msFromSeconds(seekTime) });
  };
  player.on('playbackSeeking', onSeeking);
  const unsubscribe = telemetry.subscribe(onRecorded);
  return {
    idleBefore: pauses.before,
    dispose() {
      player.off('playbackSeeking', onSeeking);
      unsubscribe();
    },
  };
}

function inputOf(event: SessionEvent, rungOf: Parameters<typeof downloadInput>[1]): RuleEvent | null {
  if (event.kind === 'request') return downloadInput(event, rungOf);
  if (event.kind === 'stall' && event.durationMs !== null)
    return { kind: 'stall', atMs: event.atMs, durationMs: event.durationMs };
  return null;
}
