import type { MediaType } from '../../abr/rule.ts';
import type { Track } from '../content.ts';
import type { PlayerModelSettings } from './playerModelSettings.ts';

/** dash.js lets audio run this far ahead of video. */
const AUDIO_LEAD_MS = 1000;

interface Levels {
  readonly mediaType: MediaType;
  readonly track: Track;
  readonly rung: number;
  readonly levelMs: number;
  readonly videoLevelMs: number;
}

/** How much a track may buffer (ScheduleController.js of dash.js 5.2.1, getBufferTarget), ms. */
export function bufferTargetMsOf(settings: PlayerModelSettings, levels: Levels): number {
  const { mediaType, track, rung, videoLevelMs } = levels;
  if (mediaType === 'audio') return Math.max(videoLevelMs + AUDIO_LEAD_MS, track.segmentMs);
  return rung === track.ladder.length - 1 ? settings.bufferTargetAtTopMs : settings.bufferTargetMs;
}

/**
 * Whether the next segment is due (the same, _shouldBuffer): it must still fit under the target, unless the target is
 * smaller than a segment. Audio beside video need not fit.
 */
export function isDue(settings: PlayerModelSettings, levels: Levels): boolean {
  const { mediaType, track, levelMs } = levels;
  const targetMs = bufferTargetMsOf(settings, levels);
  const counts = mediaType === 'video' && targetMs > track.segmentMs;
  return levelMs + (counts ? track.segmentMs : 0) < targetMs;
}
