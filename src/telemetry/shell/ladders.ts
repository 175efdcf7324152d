import type { LadderEvent } from '../event.ts';
import { ladderOf, type RungSource } from '../ladderOf.ts';
import { absent, withReasons } from '../withReasons.ts';
import type { Surroundings } from './tracker.ts';

type MediaType = LadderEvent['mediaType'];

/** The ladders that dash.js offers now, and rungs on them. */
export interface Ladders {
  /**
   * Reads the ladder of a period again, and writes it to the log when it is new. `segmentMs` is the length of a segment that is
   * asked for: with SegmentBase the manifest does not say it, the index that is read later does.
   */
  refresh(mediaType: MediaType, periodId: string, segmentMs?: number | null): void;
  /** null: not on the ladder. */
  rungOf(mediaType: MediaType, periodId: string | null, representationId: string): number | null;
}

interface Offered extends RungSource {
  readonly segmentDuration?: number;
  readonly fragmentDuration?: number | null;
  readonly mediaInfo?: { readonly lang?: string | null } | null;
}

interface Known {
  /** Of the first segment that was asked for; null before that. */
  readonly segmentMs: number | null;
  readonly rungs: LadderEvent['rungs'];
  readonly fingerprint: string;
}

/** Periods whose ladders are remembered: live adds them for ever, and nobody asks for an old one. */
const MAX_KNOWN = 16;

export function createLadders({ player, clock, recording }: Surroundings): Ladders {
  const known = new Map<string, Known>();
  let lastWritten: Partial<Record<MediaType, string>> = {};
  return {
    refresh(mediaType, periodId, segmentMs = null) {
      // With what settings exclude left out: a rung is an index into what a rule can choose from.
      const offered: readonly Offered[] = player.getRepresentationsByType(mediaType, periodId);
      if (offered.length === 0) return;
      const key = `${mediaType} ${periodId}`;
      const askedMs = known.get(key)?.segmentMs ?? segmentMs;
      const event = ladderEvent({ mediaType, periodId, offered, askedMs });
      const fingerprint = JSON.stringify(event);
      if (known.size >= MAX_KNOWN) known.clear();
      known.set(key, { segmentMs: askedMs, rungs: event.rungs, fingerprint });
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
  askedMs,
}: {
  mediaType: MediaType;
  periodId: string;
  offered: readonly Offered[];
  askedMs: number | null;
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
      segmentMs: seconds && Number.isFinite(seconds) ? seconds * 1000 : (askedMs ?? absent('too-early')),
    }),
  };
}
