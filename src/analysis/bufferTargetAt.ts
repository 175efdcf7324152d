import { AUDIO, VIDEO } from './codes.ts';
import type { SessionSeries } from './series.ts';
import { lastRow, valueAt } from './table.ts';

/**
 * Target of the video buffer (of the audio buffer when there is no video), ms; null before a decision named one. Beside
 * video, dash.js gives audio the video's level as its target (ScheduleController._getBufferTargetForAudio).
 */
export function bufferTargetAt({ decisions, buffer }: SessionSeries, atMs: number): number | null {
  const lane = buffer.video.length > 0 ? VIDEO : AUDIO;
  const row = lastRow(decisions, atMs, (each) => decisions.columns.lane[each] === lane);
  return valueAt(decisions.columns.bufferTargetMs, row);
}
