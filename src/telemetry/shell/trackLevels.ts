import { absent, hasLadder, withReasons, type SwitchEvent } from '../event.ts';
import {
  createLevelModel,
  type LevelModel,
  type LoadedSegment,
  type ShownLevel,
} from '../../shared/shownLevel.ts';
import { JUST_MS } from '../recorder/screen.ts';
import { purposeOf, type DashRequest } from './requests/dashRequest.ts';
import { onNextSource, onPlayer, type Surroundings } from './surroundings.ts';
import type { Ladders } from './trackPresentation.ts';
import type { Position, ScreenTracking } from './trackScreen.ts';

type MediaType = SwitchEvent['mediaType'];

/** dash.js' event of a segment whose last bytes the browser has taken (BufferController). Times in s. */
interface Appended {
  readonly mediaType?: string;
  readonly segmentType?: string;
  readonly startTime?: number;
  readonly representationId?: string;
}

/** What a media type has in its buffer, and the segments that are requested and not appended yet. */
export interface Track {
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
  { ladders, screen }: { ladders: Ladders; screen: Pick<ScreenTracking, 'onPosition' | 'expectFrame'> },
): () => void {
  const tracks = showLevels(recording, screen);
  const off = onPlayer(player, bufferListeners(tracks, ladders));
  const offSource = onNextSource(player, () => tracks.clear());
  return () => {
    off();
    offSource();
  };
}

/** Records when a level of one of the tracks, which whoever calls this fills, comes on the screen. */
export function showLevels(
  recording: Pick<Surroundings['recording'], 'record'>,
  screen: Pick<ScreenTracking, 'onPosition' | 'expectFrame'>,
): Map<MediaType, Track> {
  const tracks = new Map<MediaType, Track>();
  const follow = followFrames();
  screen.onPosition((position) => {
    // A decoder may play on what was replaced, Firefox longer than Chromium: then each frame is asked for its height.
    const isUnsure = tracks.get('video')?.model.isUnsure(position.reading.playheadMs) === true;
    const { frame, hasFrames } = follow({ ...position, byFrames: position.byFrames || isUnsure });
    for (const [mediaType, { model }] of tracks) {
      const shown = levelAt(model, { ...position, frame }, hasFrames && mediaType === 'video');
      if (shown) recording.record(draftOf(mediaType, shown));
    }
    if (isUnsure) screen.expectFrame();
  });
  return tracks;
}

/** A browser reports no frames of a video that is out of view, ms: then the playhead says what would be shown. */
const NO_FRAMES_MS = 1000;

/** The frame of each position: where the picture begins to move, that is the first of those that were presented just before. */
function followFrames() {
  let frameMs = -Infinity;
  let first: Position['frame'] = null;
  return (position: Position) => {
    const { isMoving, frame: reported } = position;
    const { atMs } = reported ?? position.reading;
    const isNext = atMs - frameMs <= JUST_MS && (!reported || goesOn(first, reported));
    const kept = isNext ? first : null;
    const frame = (isMoving && kept) || reported;
    if (frame) frameMs = (reported ?? frame).atMs;
    first = isMoving ? null : (kept ?? reported);
    return { frame, hasFrames: hasFrames(position, frameMs) };
  };
}

/** Whether a frame follows another in the media, and not behind a hole or a seek. */
const goesOn = (one: Position['frame'], next: NonNullable<Position['frame']>): boolean =>
  one !== null && next.mediaMs >= one.mediaMs && next.mediaMs - one.mediaMs <= JUST_MS;

const hasFrames = ({ byFrames, reading }: Position, frameMs: number): boolean =>
  byFrames && reading.framesCome && reading.atMs - frameMs < NO_FRAMES_MS;

/** By the frames, or by the playhead: what is heard, and where no frames are reported. */
function levelAt(
  model: LevelModel,
  { reading, isMoving, frame }: Position,
  byFrames: boolean,
): ShownLevel | null {
  const { atMs, playheadMs, rate, paused, isSeeking } = reading;
  if (isSeeking) model.leave();
  else if (!isMoving && !paused) model.pause();
  else if (isMoving && byFrames) return frame && model.moveTo({ ...frame, rate });
  else if (isMoving) return model.moveTo({ atMs, mediaMs: playheadMs, rate });
  return null;
}

/** Keeps the models of what lies in the buffers. */
function bufferListeners(tracks: Map<MediaType, Track>, ladders: Ladders) {
  const trackOf = (mediaType: string | null | undefined): Track | null => {
    if (!hasLadder(mediaType)) return null;
    const track = tracks.get(mediaType) ?? newTrack();
    tracks.set(mediaType, track);
    return track;
  };
  return {
    fragmentLoadingStarted({ request }: { request?: DashRequest }) {
      const segment = request && segmentOf(request, ladders);
      const track = segment && trackOf(request.mediaType);
      if (!track) return;
      if (track.expected.size >= MAX_EXPECTED) track.expected.clear();
      track.expected.set(keyOf(request.startTime, request.representation?.id), segment);
      if (request.availabilityTimeComplete === false) track.model.expect(segment);
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
  } as Parameters<typeof onPlayer>[1];
}

export const newTrack = (): Track => ({ model: createLevelModel(), expected: new Map() });

const keyOf = (startS: number | null | undefined, representationId: string | undefined): string =>
  `${startS} ${representationId}`;

/** null for what is no segment of a level. */
function segmentOf(request: DashRequest, ladders: Ladders): LoadedSegment | null {
  const { type, mediaStartMs, mediaDurationMs, rung, bitrateKbps } = purposeOf(request, ladders.rungOf);
  if (type !== 'media' || mediaStartMs === null || mediaDurationMs === null) return null;
  if (rung === null || bitrateKbps === null) return null;
  const height = request.representation?.height ?? null;
  return { fromMs: mediaStartMs, toMs: mediaStartMs + mediaDurationMs, rung, bitrateKbps, height };
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
