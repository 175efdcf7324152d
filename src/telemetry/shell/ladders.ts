import type { LadderEvent } from '../event.ts';
import { ladderOf, type RungSource } from '../ladderOf.ts';
import { absent, withReasons } from '../withReasons.ts';
import type { Surroundings } from './tracker.ts';

type MediaType = LadderEvent['mediaType'];

/** The ladders that dash.js offers now, and rungs on them. */
export interface Ladders {
  /** Reads the ladder of a period again, and writes it to the log when it is new. */
  refresh(mediaType: MediaType, periodId: string): void;
  /** null: not on the ladder. */
  rungOf(mediaType: MediaType, periodId: string | null, representationId: string): number | null;
}

interface Offered extends RungSource {
  readonly segmentDuration?: number;
  readonly fragmentDuration?: number | null;
  readonly mediaInfo?: { readonly lang?: string | null } | null;
}

interface Known {
  readonly rungs: LadderEvent['rungs'];
  readonly fingerprint: string;
}

/** Periods whose ladders are remembered: live adds them for ever, and nobody asks for an old one. */
const MOST_KNOWN = 16;

export function createLadders({ player, clock, recording }: Surroundings): Ladders {
  const known = new Map<string, Known>();
  let lastWritten: Partial<Record<MediaType, string>> = {};
  return {
    refresh(mediaType, periodId) {
      // With what settings exclude left out: a rung is an index into what a rule can choose from.
      const offered: readonly Offered[] = player.getRepresentationsByType(mediaType, periodId);
      if (offered.length === 0) return;
      const event = ladderEvent({ mediaType, periodId, offered });
      const fingerprint = JSON.stringify(event);
      if (known.size >= MOST_KNOWN) known.clear();
      known.set(`${mediaType} ${periodId}`, { rungs: event.rungs, fingerprint });
      if (lastWritten[mediaType] === fingerprint) return;
      lastWritten = { ...lastWritten, [mediaType]: fingerprint };
      recording.record({ ...event, atMs: clock.nowMs() });
    },
    rungOf(mediaType, periodId, representationId) {
      const rungs = known.get(`${mediaType} ${periodId ?? ''}`)?.rungs ?? [];
      const rung = rungs.findIndex((each) => each.representationId === representationId);
      return rung === -1 ? null : rung;
    },
  };
}

function ladderEvent({
  mediaType,
  periodId,
  offered,
}: {
  mediaType: MediaType;
  periodId: string;
  offered: readonly Offered[];
}) {
  const [first] = offered;
  const seconds = first?.segmentDuration || first?.fragmentDuration;
  return {
    kind: 'ladder' as const,
    mediaType,
    periodId,
    rungs: ladderOf(offered),
    ...withReasons({
      language: first?.mediaInfo?.lang || absent('not-sent'),
      segmentMs: seconds && Number.isFinite(seconds) ? seconds * 1000 : absent('too-early'),
    }),
  };
}
