import { lastRunningMean } from '../correlation/lastRunningMean.ts';
import { hasPlayed } from '../hasPlayed.ts';
import type { Metric } from '../metric.ts';
import { unmeasured } from '../unmeasured.ts';

/** "Average stall" of the racing paper: S, as a mean over the windows. */
export const windowStall: Metric = {
  id: 'window-stall',
  label: 'stall per window',
  meaning:
    'mean, over the whole windows of 30 s, of S, the stalled time inside the window: the last running mean',
  unit: 's',
  better: 'lower',
  decimals: 2,
  paper: 'Chaudhary et al., IEEE TNSM 21(3), 2024, §V-B and §VI-A (stall duration S)',
  unknown: 'playback never started, or the session is shorter than a window',
  of: (log) =>
    hasPlayed(log) ? lastRunningMean(log, ({ stallS }) => stallS) : unmeasured('Playback never started.'),
};
