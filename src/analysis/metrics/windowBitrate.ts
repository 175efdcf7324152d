import { lastRunningMean } from '../correlation/lastRunningMean.ts';
import type { Metric } from '../metric.ts';

/** "Average bitrate" of the racing paper: each window weighs the same, however long the picture moved in it. */
export const windowBitrate: Metric = {
  id: 'window-bitrate',
  label: 'bitrate per window',
  meaning:
    'mean, over the whole windows of 30 s, of the mean bitrate while the video played in the window: the last running mean',
  unit: 'kbit/s',
  better: 'higher',
  paper: 'Chaudhary et al., IEEE TNSM 21(3), 2024, §V-B and §VI-B (average bitrate)',
  unknown: 'the session is shorter than a window, or no video played in any window',
  of: (log) => lastRunningMean(log, ({ bitrateKbps }) => bitrateKbps),
};
