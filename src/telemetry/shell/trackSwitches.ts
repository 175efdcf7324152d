import { absent, hasLadder, withReasons } from '../event.ts';
import { representationOf, type DashRepresentation } from './requests/dashRequest.ts';
import { onPlayer, type Surroundings } from './surroundings.ts';
import type { Ladders } from './trackPresentation.ts';

interface Change {
  readonly mediaType?: 'video' | 'audio' | 'text';
  readonly oldRepresentation?: DashRepresentation | null;
  readonly newRepresentation?: DashRepresentation | null;
  /** An object of the rule's own making, or a text. */
  readonly reason?: unknown;
}

/** Changes of rung when dash.js decides. `trackLevels` has when they come on the screen. */
export function trackSwitches({ player, clock, recording }: Surroundings, ladders: Ladders): () => void {
  return onPlayer<Change>(player, {
    qualityChangeRequested(change) {
      const draft = draftOf(change, ladders);
      if (draft) recording.record({ ...draft, atMs: clock.nowMs() });
    },
  });
}

function draftOf(
  { mediaType, oldRepresentation: from, newRepresentation, reason }: Change,
  ladders: Ladders,
) {
  if (!newRepresentation || !hasLadder(mediaType)) return null;
  const levelOf = (each: DashRepresentation) => representationOf(each, mediaType, ladders.rungOf);
  const { periodId } = levelOf(newRepresentation);
  if (periodId) ladders.refresh(mediaType, periodId);
  const { rung: toRung, bitrateKbps } = levelOf(newRepresentation);
  if (toRung === null || bitrateKbps === null) return null;
  return {
    kind: 'switch' as const,
    ...withReasons({
      phase: 'requested' as const,
      mediaType,
      fromRung: from ? (levelOf(from).rung ?? absent('not-supported')) : absent('not-applicable'),
      toRung,
      bitrateKbps,
      reason: formatReason(reason),
    }),
  };
}

/** dash.js' rules put `message` into their reason, ours `rule`; BOLA puts only numbers. */
function formatReason(reason: unknown): string {
  const { message, rule, state } = (reason ?? {}) as Record<string, unknown>;
  const text = [reason, message, rule, state].find((each) => typeof each === 'string');
  return (text ?? 'dash.js gave no reason.').slice(0, 400);
}
