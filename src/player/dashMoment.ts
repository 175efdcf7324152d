import type { MediaPlayerClass, RulesContext } from 'dashjs';
import type { MediaType, Moment } from '../abr/rule.ts';
import { segmentsBetween } from '../abr/ruleInput.ts';
import { msFromSeconds } from '../shared/units.ts';
import { streamProcessors } from './streamProcessors.ts';

/** What dash.js knows when it asks, in our terms. `lastRung` is the rung it is set to, from its start rung on. */
export function momentOf(
  player: MediaPlayerClass,
  context: RulesContext,
  known: { nowMs: number; mediaType: MediaType; segmentMs: number; lastRung: number | null },
): Moment {
  const video = player.getVideoElement();
  const next = nextSegment(player, context);
  const bufferMs = bufferMsOf(player, known.mediaType);
  const playheadMs = msFromSeconds(video.currentTime);
  const startMs = next ? msFromSeconds(next.startTime) : playheadMs + bufferMs;
  // After a seek dash.js' next request is still the one before the seek: then its number says nothing.
  const near = next !== null && Math.abs(startMs - playheadMs - bufferMs) < known.segmentMs;
  return {
    nowMs: known.nowMs,
    playheadMs,
    bufferMs,
    bufferTargetMs: bufferTargetMsOf(player, context),
    segment: near ? next.index : null,
    segmentsLeft: player.isDynamic()
      ? null
      : segmentsBetween(
          near ? startMs : playheadMs + bufferMs,
          msFromSeconds(video.duration),
          known.segmentMs,
        ),
    lastRung: known.lastRung,
    liveLatencyMs: player.isDynamic() ? finiteOrNull(msFromSeconds(player.getCurrentLiveLatency())) : null,
    playbackRate: video.playbackRate,
  };
}

export function bufferMsOf(player: MediaPlayerClass, mediaType: MediaType): number {
  return finiteOrNull(msFromSeconds(player.getDashMetrics().getCurrentBufferLevel(mediaType))) ?? 0;
}

function bufferTargetMsOf(player: MediaPlayerClass, context: RulesContext): number {
  const target = msFromSeconds(context.getScheduleController().getBufferTarget());
  return (
    finiteOrNull(target) ?? msFromSeconds(player.getSettings().streaming?.buffer?.bufferTimeDefault ?? 0)
  );
}

/** dash.js numbers segments from 0 within a period, so only in the first period is it a number in the presentation. */
function nextSegment(
  player: MediaPlayerClass,
  context: RulesContext,
): { index: number; startTime: number } | null {
  const stream = player.getActiveStream();
  const info = context.getStreamInfo();
  if (stream === null || info.index !== 0 || stream.getId() !== info.id) return null;
  const processor = streamProcessors(player).find((each) => each.getType() === context.getMediaType());
  // Before the first request dash.js counts from segment 0, wherever playback will start.
  const request = processor?.getLastSegment() ? processor.probeNextRequest() : null;
  const { index, startTime } = request ?? {};
  return Number.isInteger(index) && Number.isFinite(startTime)
    ? { index: index as number, startTime: startTime as number }
    : null;
}

/** dash.js says NaN or a negative number for what it does not know. */
const finiteOrNull = (value: number): number | null => (Number.isFinite(value) && value >= 0 ? value : null);
