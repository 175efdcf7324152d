import type { RulesContext } from 'dashjs';
import type { DecisionEvent } from '../event.ts';
import { liveLatencyMs, playheadMs, type Surroundings } from './tracker.ts';

/** What is true when dash.js asks its own rules. It tells them nothing of the segment to come. */
export function ruleMoment(
  context: RulesContext | null,
  mediaType: DecisionEvent['mediaType'],
  { around, lastRung, nowMs }: { around: Surroundings; lastRung: number | null; nowMs: number },
): DecisionEvent['moment'] {
  const { player, video } = around;
  const target = context?.getScheduleController().getBufferTarget() ?? NaN;
  return {
    nowMs,
    playheadMs: playheadMs(video),
    bufferMs: msOr(player.getDashMetrics().getCurrentBufferLevel(mediaType), 0),
    bufferTargetMs: msOr(target, player.getSettings().streaming?.buffer?.bufferTimeDefault ?? 0),
    segment: null,
    segmentsLeft: null,
    lastRung,
    liveLatencyMs: liveLatencyMs(player),
    playbackRate: video.playbackRate,
  };
}

/** dash.js says NaN before it knows. */
function msOr(seconds: number, otherwiseSeconds: number): number {
  return Math.round((Number.isFinite(seconds) && seconds >= 0 ? seconds : otherwiseSeconds) * 1000);
}
