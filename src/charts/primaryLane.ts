import { AUDIO, VIDEO } from '../analysis/timeline/columns.ts';
import type { SessionSeries } from '../analysis/timeline/series.ts';

/** Video, or audio in a session that has no video. */
export function primaryLane({ ladders, buffer }: SessionSeries): number {
  const audioOnly =
    !ladders.some(({ mediaType }) => mediaType === 'video') &&
    buffer.video.length === 0 &&
    ladders.some(({ mediaType }) => mediaType === 'audio');
  return audioOnly ? AUDIO : VIDEO;
}
