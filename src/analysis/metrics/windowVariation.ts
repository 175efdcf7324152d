import { lastRunningMean } from '../correlation/lastRunningMean.ts';
import type { Metric } from '../metric.ts';

/** "Average bitrate variation" of the racing paper. */
export const windowVariation: Metric = {
  id: 'window-variation',
  label: 'variation per window',
  meaning:
    'mean absolute change between the mean bitrates of successive windows of 30 s in which the video played: the last running mean',
  unit: 'kbit/s',
  better: 'lower',
  paper: 'Chaudhary et al., IEEE TNSM 21(3), 2024, §V-B and §VI-B (average bitrate variation)',
  unknown: 'the video played in fewer than two whole windows',
  of: (log) => lastRunningMean(log, ({ variationKbps }) => variationKbps),
};
