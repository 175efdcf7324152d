import type { MediaType } from '../../abr/rule.ts';
import type { Draft, SwitchEvent } from '../../telemetry/event.ts';
import type { Track } from '../content.ts';

interface Change {
  readonly atMs: number;
  readonly mediaType: MediaType;
  /** null for the first rung. */
  readonly fromRung: number | null;
  readonly toRung: number;
}

/** A rung was decided. */
export const switchRequested = (change: Change, track: Track, reason: string): Draft<SwitchEvent> =>
  switchDraft('requested', change, track, reason);

/** The playhead entered it. */
export const switchRendered = (change: Change, track: Track): Draft<SwitchEvent> =>
  switchDraft('rendered', change, track, 'The playhead entered the new rung.');

function switchDraft(
  phase: SwitchEvent['phase'],
  change: Change,
  { ladder }: Track,
  reason: string,
): Draft<SwitchEvent> {
  return {
    kind: 'switch',
    phase,
    ...change,
    bitrateKbps: ladder[change.toRung]!.bitrateKbps,
    reason,
    missing: change.fromRung === null ? { fromRung: 'not-applicable' } : {},
  };
}
