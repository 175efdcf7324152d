import type { MediaType } from '../../abr/rule.ts';
import type { Content, Track } from '../content.ts';

/** What is loaded of each track: one stretch, up to an end. What lies behind the playhead is never played again. */
export interface Buffers {
  /** Content ahead of the playhead, ms. */
  levelMs(mediaType: MediaType, playheadMs: number): number;
  append(mediaType: MediaType, segment: number, rung: number): void;
  /** Rung of a loaded video segment. */
  rungOf(segment: number): number;
  /** Where playback comes to a stand: the end of what all tracks have. A track that is whole ends nothing. */
  playableUntilMs(): number;
  /** A jump of the playhead: whether a track has what is there. Else its stretch is dropped. */
  jump(mediaType: MediaType, fromMs: number, toMs: number): boolean;
}

export function createBuffers({ video, audio }: Content): Buffers {
  const ends: Record<MediaType, number> = { video: 0, audio: audio ? 0 : Infinity };
  const lengths: Record<MediaType, number> = { video: lengthOf(video), audio: audio ? lengthOf(audio) : 0 };
  const segmentMs: Record<MediaType, number> = { video: video.segmentMs, audio: audio?.segmentMs ?? 0 };
  const rungs = new Map<number, number>();
  return {
    levelMs: (mediaType, playheadMs) => Math.max(0, ends[mediaType] - playheadMs),
    append(mediaType, segment, rung) {
      ends[mediaType] = (segment + 1) * segmentMs[mediaType];
      if (mediaType === 'video') rungs.set(segment, rung);
    },
    rungOf: (segment) => rungs.get(segment)!,
    playableUntilMs: () => Math.min(ends.video, ends.audio >= lengths.audio ? Infinity : ends.audio),
    jump(mediaType, fromMs, toMs) {
      const past = toMs >= lengths[mediaType];
      if (past || (toMs >= fromMs && toMs < ends[mediaType])) return true;
      ends[mediaType] = 0;
      return false;
    },
  };
}

const lengthOf = ({ segments, segmentMs }: Track): number => segments * segmentMs;
