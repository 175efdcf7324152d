import { absent, finiteOr, withReasons, type LadderEvent } from '../event.ts';
import { redactUrl } from '../redactUrl.ts';
import { onPlayer, type Surroundings } from './surroundings.ts';

/** The parts of dash.js' parsed MPD (dash/parser/DashParser.js) that we read. Times in s. */
interface Manifest {
  readonly url?: string;
  readonly type?: string;
  readonly mediaPresentationDuration?: number;
  readonly minBufferTime?: number;
  readonly Period?: readonly Period[];
}
interface Period {
  readonly AdaptationSet?: readonly AdaptationSet[];
}
interface AdaptationSet {
  readonly SegmentTemplate?: Template;
  readonly Representation?: readonly { readonly SegmentTemplate?: Template }[];
}
interface Template {
  readonly availabilityTimeComplete?: boolean | string;
}

/** Every manifest that dash.js took over, also each reload of a live one. */
export function trackManifests({ player, clock, recording, keepQueryValues }: Surroundings): () => void {
  return onPlayer<{ data?: Manifest | null }>(player, {
    manifestLoaded({ data: manifest }) {
      if (!manifest) return;
      const live = manifest.type === 'dynamic';
      recording.record({
        kind: 'manifest',
        atMs: clock.nowMs(),
        ...withReasons({
          url: redactUrl(manifest.url ?? '', keepQueryValues),
          type: live ? ('dynamic' as const) : ('static' as const),
          lowLatency: isLowLatency(manifest),
          durationMs: finiteOr(ms(manifest.mediaPresentationDuration), live ? 'not-applicable' : 'not-sent'),
          minBufferMs: ms(manifest.minBufferTime) ?? absent('not-sent'),
          periods: manifest.Period?.length ?? 0,
        }),
      });
    },
  });
}

/** Segments are announced before they are complete: DASH-IF low-latency mode (IOP v5 part 4). */
function isLowLatency({ Period = [] }: Manifest): boolean {
  const sets = Period.flatMap(({ AdaptationSet = [] }) => AdaptationSet);
  const templates = sets.flatMap(({ SegmentTemplate, Representation = [] }) => [
    SegmentTemplate,
    ...Representation.map((each) => each.SegmentTemplate),
  ]);
  return templates.some((template) => String(template?.availabilityTimeComplete) === 'false');
}

function ms(seconds: number | undefined): number | null {
  return seconds !== undefined && Number.isFinite(seconds) ? seconds * 1000 : null;
}

type MediaType = LadderEvent['mediaType'];

/** The ladders that dash.js offers now, and rungs on them. */
export interface Ladders {
  /**
   * Reads the ladder of a period again, and writes it to the log when it is new. `segmentMs` is the length of a segment that is
   * asked for: with SegmentBase the manifest does not say it, the index that is read later does. The length that is known first
   * stays that of the period: dash.js has that of the first entry of a SegmentTimeline, which changes with each refresh where
   * segments are uneven. Each request has its own length.
   */
  refresh(mediaType: MediaType, periodId: string, segmentMs?: number | null): void;
  /** null: not on the ladder. */
  rungOf(mediaType: MediaType, periodId: string | null, representationId: string): number | null;
  /** What is known is of a source that plays no more. */
  forget(): void;
}

interface Offered extends RungSource {
  readonly segmentDuration?: number;
  readonly fragmentDuration?: number | null;
  readonly mediaInfo?: { readonly lang?: string | null } | null;
}

interface Known {
  /** As it was first known; null before that. */
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
      const knownMs = known.get(key)?.segmentMs ?? offeredMs(offered) ?? segmentMs;
      const event = ladderEvent({ mediaType, periodId, offered, segmentMs: knownMs });
      const fingerprint = JSON.stringify(event);
      if (known.size >= MAX_KNOWN && !known.has(key)) forgetOldest(known);
      known.set(key, { segmentMs: event.segmentMs, rungs: event.rungs, fingerprint });
      if (lastWritten[mediaType] === fingerprint) return;
      lastWritten = { ...lastWritten, [mediaType]: fingerprint };
      recording.record({ ...event, atMs: clock.nowMs() });
    },
    rungOf(mediaType, periodId, representationId) {
      const rungs = known.get(`${mediaType} ${periodId ?? ''}`)?.rungs ?? [];
      const rung = rungs.findIndex((each) => each.representationId === representationId);
      return rung === -1 ? null : rung;
    },
    forget() {
      known.clear();
      lastWritten = {};
    },
  };
}

function ladderEvent({
  mediaType,
  periodId,
  offered,
  segmentMs,
}: {
  mediaType: MediaType;
  periodId: string;
  offered: readonly Offered[];
  segmentMs: number | null;
}) {
  const [first] = offered;
  return {
    kind: 'ladder' as const,
    mediaType,
    periodId,
    rungs: ladderOf(offered),
    ...withReasons({
      language: first?.mediaInfo?.lang || absent('not-sent'),
      segmentMs: segmentMs ?? absent('too-early'),
    }),
  };
}

/** The length of a segment as the manifest has it now; null where it does not say it. */
function offeredMs([first]: readonly Offered[]): number | null {
  const seconds = first?.segmentDuration || first?.fragmentDuration;
  return seconds && Number.isFinite(seconds) ? seconds * 1000 : null;
}

function forgetOldest(known: Map<string, Known>): void {
  const [oldest] = known.keys();
  if (oldest !== undefined) known.delete(oldest);
}

/** The fields of a dash.js Representation that make a rung. */
export interface RungSource {
  readonly id: string;
  /** bit/s */
  readonly bandwidth: number;
  readonly width?: number | null;
  readonly height?: number | null;
  readonly codecs?: string | null;
}

/**
 * The ladder of what dash.js can choose from, ascending by bitrate. dash.js itself sorts by quality ranking or pixel
 * rate where the MPD gives them; a rung in the log is always an index into this order.
 */
export function ladderOf(representations: readonly RungSource[]): LadderEvent['rungs'] {
  return [...representations]
    .sort((one, other) => one.bandwidth - other.bandwidth)
    .map(({ id, bandwidth, width, height, codecs }) => ({
      representationId: String(id),
      bitrateKbps: bandwidth / 1000,
      width: pixels(width),
      height: pixels(height),
      codecs: codecs ?? '',
    }));
}

/** dash.js writes NaN or 0 where the MPD says nothing. */
function pixels(count: number | null | undefined): number | null {
  return count && Number.isFinite(count) ? Math.round(count) : null;
}
