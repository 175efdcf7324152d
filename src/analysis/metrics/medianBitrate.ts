import type { Metric } from '../metric.ts';
import { renderedSpans } from '../renderedSpans.ts';
import { unmeasured } from '../unmeasured.ts';
import { weightedMedian } from '../weightedMedian.ts';

/** Half of the time in which the picture moved had at most this bitrate. */
export const medianBitrate: Metric = {
  id: 'median-bitrate',
  label: 'median bitrate',
  meaning:
    'the lowest bitrate of a rendered video rung that was not exceeded for half of the time in which the video played',
  unit: 'kbit/s',
  better: 'higher',
  paper: '2020 letter §IV-A (distributions of playback bitrate); weighting by time is ours',
  unknown: 'no video was rendered, or it never played',
  of(log) {
    const value = weightedMedian(
      renderedSpans(log).map(({ fromMs, toMs, bitrateKbps }) => ({
        value: bitrateKbps,
        weight: toMs - fromMs,
      })),
    );
    return value === null ? unmeasured('No video was rendered while it played.') : { value };
  },
};
