import { absent, withReasons, type SwitchEvent } from '../event.ts';
import type { DashRepresentation } from './requests/dashRequest.ts';
import { onPlayer, type Surroundings } from './surroundings.ts';
import type { Ladders } from './trackPresentation.ts';

interface Change {
  readonly mediaType?: string;
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

function draftOf(change: Change, ladders: Ladders) {
  const { oldRepresentation: from, newRepresentation: to } = change;
  const mediaType = laddered(change.mediaType);
  if (!mediaType || !to) return null;
  const periodId = periodOf(to);
  if (periodId) ladders.refresh(mediaType, periodId);
  const rungOf = (each: DashRepresentation): number | null =>
    ladders.rungOf(mediaType, periodOf(each), String(each.id));
  const toRung = rungOf(to);
  if (toRung === null) return null;
  const fromRung = from ? (rungOf(from) ?? absent('not-supported')) : absent('not-applicable');
  const reason = formatReason(change.reason);
  return {
    kind: 'switch' as const,
    ...withReasons({
      phase: 'requested' as const,
      mediaType,
      fromRung,
      toRung,
      bitrateKbps: to.bandwidth / 1000,
      reason,
    }),
  };
}

function laddered(mediaType: string | undefined): SwitchEvent['mediaType'] | null {
  return mediaType === 'video' || mediaType === 'audio' ? mediaType : null;
}

const periodOf = ({ mediaInfo }: DashRepresentation): string | null => mediaInfo?.streamInfo?.id ?? null;

/** dash.js' rules put `message` into their reason, ours `rule`; BOLA puts only numbers. */
function formatReason(reason: unknown): string {
  if (typeof reason === 'string') return reason.slice(0, 400);
  const { message, rule, state } = (reason ?? {}) as Record<string, unknown>;
  const text = [message, rule, state].find((each) => typeof each === 'string');
  return typeof text === 'string' ? text.slice(0, 400) : 'dash.js gave no reason.';
}
