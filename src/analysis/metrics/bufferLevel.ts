import { eventsOf } from '../eventsOf.ts';
import type { Metric } from '../metric.ts';
import { unmeasured } from '../unmeasured.ts';

/** A pause of the sampler weighs 5 s at most, as in the page's key figure. */
const LONGEST_GAP_MS = 5000;

/** Media ahead of the playhead. */
export const bufferLevel: Metric = {
  id: 'buffer-level',
  label: 'buffer level',
  meaning:
    'mean level of the video buffer (without video: of the audio buffer), weighted by time, interpolated linearly between readings; a gap of more than 5 s counts as 5 s',
  unit: 'ms',
  better: 'higher',
  paper: '2019 study of DASH over QUIC parameters §IV-A (buffer level)',
  unknown: 'the buffer was never read',
  of(log) {
    const readings = [...eventsOf(log, 'buffer')].sort((one, other) => one.atMs - other.atMs);
    const video = readings.filter(({ mediaType }) => mediaType === 'video');
    const levels = video.length > 0 ? video : readings;
    let [area, weight] = [0, 0];
    levels.slice(1).forEach(({ atMs, levelMs }, index) => {
      const before = levels[index]!;
      const ms = Math.min(LONGEST_GAP_MS, atMs - before.atMs);
      area += (ms * (levelMs + before.levelMs)) / 2;
      weight += ms;
    });
    if (weight > 0) return { value: area / weight };
    const last = levels.at(-1);
    return last ? { value: last.levelMs } : unmeasured('The buffer was never read.');
  },
};
