import { absent, withReasons, type SwitchEvent } from '../event.ts';
import {
  createLevelModel,
  type LevelModel,
  type LoadedSegment,
  type ShownLevel,
} from '../../shared/shownLevel.ts';
import type { DashRequest } from './requests/dashRequest.ts';
import { onNextSource, onPlayer, type Surroundings } from './surroundings.ts';
import type { Ladders } from './trackPresentation.ts';
import type { ScreenTracking } from './trackScreen.ts';

type MediaType = SwitchEvent['mediaType'];

/** dash.js' event of a segment whose last bytes the browser has taken (BufferController). Times in s. */
interface Appended {
  readonly mediaType?: string;
  readonly segmentType?: string;
  readonly startTime?: number;
  readonly representationId?: string;
}

/** What a media type has in its buffer, and the segments that are requested and not appended yet. */
interface Track {
  readonly model: LevelModel;
  readonly expected: Map<string, LoadedSegment>;
}

/** Requests that never come into the buffer are forgotten after so many others. */
const MAX_EXPECTED = 50;

/**
 * When another level comes on the screen: from the segments that the browser took, and the playhead. dash.js' own
 * `qualityChangeRendered` goes by what was requested last for a time, also where it was not appended, or too late to be seen.
 */
export function trackLevels(
  { player, recording }: Surroundings,
  { ladders, screen }: { ladders: Ladders; screen: Pick<ScreenTracking, 'onPosition'> },
): () => void {
  const tracks = new Map<MediaType, Track>();
  const trackOf = (mediaType: string | null | undefined): Track | null => {
    if (mediaType !== 'video' && mediaType !== 'audio') return null;
    const track = tracks.get(mediaType) ?? { model: createLevelModel(), expected: new Map() };
    tracks.set(mediaType, track);
    return track;
  };
  screen.onPosition(
    ({ reading: { atMs, playheadMs, rate, paused, isSeeking, framesCome }, isMoving, frame }) => {
      if (paused && !isSeeking) return;
      for (const [mediaType, { model }] of tracks)
        if (isSeeking) model.leave();
        else if (!isMoving) model.pause();
        else if (mediaType === 'audio' || !framesCome)
          record(mediaType, model.moveTo({ atMs, mediaMs: playheadMs, rate }));
        else if (frame) record(mediaType, model.moveTo({ ...frame, rate }));
    },
  );
  const record = (mediaType: MediaType, shown: ShownLevel | null): void => {
    if (shown) recording.record(draftOf(mediaType, shown));
  };
  const off = onPlayer(player, {
    fragmentLoadingStarted({ request }: { request?: DashRequest }) {
      const segment = request && segmentOf(request, ladders);
      const track = segment && trackOf(request.mediaType);
      if (!track) return;
      if (track.expected.size >= MAX_EXPECTED) track.expected.clear();
      track.expected.set(keyOf(request.startTime, request.representation?.id), segment);
      if (request.availabilityTimeComplete === false) track.model.arriving(segment);
    },
    bytesAppendedEndFragment({ mediaType, segmentType, startTime, representationId }: Appended) {
      const track = segmentType === 'MediaSegment' ? trackOf(mediaType) : null;
      const key = keyOf(startTime, representationId);
      const segment = track?.expected.get(key);
      if (!segment) return;
      track!.expected.delete(key);
      track!.model.append(segment);
    },
    bufferCleared({ mediaType, from = NaN, to = NaN }: { mediaType?: string; from?: number; to?: number }) {
      if (from < to) trackOf(mediaType)?.model.clear(from * 1000, to * 1000);
    },
  } as Parameters<typeof onPlayer>[1]);
  const offSource = onNextSource(player, () => tracks.clear());
  return () => {
    off();
    offSource();
  };
}

const keyOf = (startS: number | null | undefined, representationId: string | undefined): string =>
  `${startS} ${representationId}`;

/** null for what is no segment of a level. */
function segmentOf(request: DashRequest, ladders: Ladders): LoadedSegment | null {
  const { type, mediaType, startTime, duration, representation } = request;
  if (type !== 'MediaSegment' || !representation || (mediaType !== 'video' && mediaType !== 'audio'))
    return null;
  const periodId = representation.mediaInfo?.streamInfo?.id ?? null;
  const rung = ladders.rungOf(mediaType, periodId, String(representation.id));
  const [fromMs, lengthMs] = [Number(startTime) * 1000, Number(duration) * 1000];
  if (rung === null || !(lengthMs > 0) || !Number.isFinite(fromMs)) return null;
  return {
    fromMs,
    toMs: fromMs + lengthMs,
    rung,
    bitrateKbps: representation.bandwidth / 1000,
    height: representation.height ?? null,
  };
}

const draftOf = (mediaType: MediaType, { atMs, before, segment }: ShownLevel) => ({
  kind: 'switch' as const,
  atMs,
  ...withReasons({
    phase: 'rendered' as const,
    mediaType,
    fromRung: before?.rung ?? absent('not-applicable'),
    toRung: segment.rung,
    bitrateKbps: segment.bitrateKbps,
    reason: 'The playhead entered the new level.',
  }),
});
