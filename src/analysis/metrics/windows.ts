import {
  sessionWindows,
  type SessionWindow,
  WINDOW_MS,
  runningMeans,
  type RunningMeans,
} from '../windows/sessionWindows.ts';
import { meanOf } from '../statistics/summaries.ts';
import { type Metric, unmeasured, type Measured } from './metric.ts';
import { renderedSpans, hasPlayed } from '../timeline/played.ts';
import type { SessionLog } from '../../telemetry/schema/sessionLog.ts';
import { tcpClassOf } from '../transport/protocol.ts';
import { crossCorrelation } from '../statistics/crossCorrelation.ts';

const NO_WINDOW = 'No whole window of 30 s, or more than 10,000.';

/**
 * B of the racing paper, as a mean over the windows. The paper leaves open how long a drop lasts: here until the next
 * change of rung, also over the border of a window, in time that the picture moved.
 */
export const qualityDrop: Metric = {
  id: 'quality-drop',
  label: 'quality drop per window',
  meaning:
    'mean, over the whole windows of 30 s, of B = (e(q_prev) − e(q)) × time at the lower level inside the window; e is the level in the session’s ladder, from 1; only drops count',
  unit: 'level·s',
  better: 'lower',
  decimals: 1,
  paper: 'Chaudhary et al., IEEE TNSM 21(3), 2024, §VI-A (quality drop duration B)',
  unknown: 'the session is shorter than a window, or no video was rendered',
  of(log) {
    if (renderedSpans(log).length === 0) return unmeasured('No video was rendered while it played.');
    const value = meanOf(sessionWindows(log).map(({ qualityDropS }) => qualityDropS));
    return value === null ? unmeasured(NO_WINDOW) : { value };
  },
};

/** "Average bitrate" of the racing paper: each window weighs the same, however long the picture moved in it. */
export const windowBitrate: Metric = {
  id: 'window-bitrate',
  label: 'bitrate per window',
  meaning:
    'mean, over the whole windows of 30 s, of the mean bitrate while the video played in the window: the last running mean',
  unit: 'kbit/s',
  better: 'higher',
  isPositive: true,
  paper: 'Chaudhary et al., IEEE TNSM 21(3), 2024, §V-B and §VI-B (average bitrate)',
  unknown: 'the session is shorter than a window, or no video played in any window',
  of: (log) => lastRunningMean(log, ({ bitrateKbps }) => bitrateKbps),
};

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

/** "Average stall" of the racing paper: S, as a mean over the windows. */
export const windowStall: Metric = {
  id: 'window-stall',
  label: 'stall per window',
  meaning:
    'mean, over the whole windows of 30 s, of S, the stalled time inside the window: the last running mean',
  unit: 's',
  better: 'lower',
  rareEvent: 'stalled',
  decimals: 2,
  paper: 'Chaudhary et al., IEEE TNSM 21(3), 2024, §V-B and §VI-A (stall duration S)',
  unknown: 'playback never started, or the session is shorter than a window',
  of: (log) =>
    hasPlayed(log) ? lastRunningMean(log, ({ stallS }) => stallS) : unmeasured('Playback never started.'),
};

/** Where a running mean of a session ends: the mean over all its windows. */
function lastRunningMean(log: SessionLog, valueOf: (means: RunningMeans) => number | null): Measured {
  const last = runningMeans(sessionWindows(log)).at(-1);
  if (!last) return unmeasured(NO_WINDOW);
  const value = valueOf(last);
  return value === null ? unmeasured('The video played in too few windows of 30 s.') : { value };
}

/** How the TCP share of a session is spread over its windows. */
export const tcpWindows: Metric = {
  id: 'tcp-windows',
  label: 'windows by TCP share',
  meaning:
    'number of whole windows of 30 s, from the request to play, in which media of a known protocol arrived; by class of their TCP share: low below 30 %, medium below 60 %, high',
  unit: '',
  better: null,
  parts: 'counts',
  paper: 'Chaudhary et al., IEEE TNSM 21(3), 2024, §VI-A and Fig. 5',
  unknown: 'the session is shorter than a window, or none has media of a known protocol',
  of(log) {
    const shares = sessionWindows(log).flatMap(({ tcpShare }) => (tcpShare === null ? [] : [tcpShare]));
    if (shares.length === 0) return unmeasured('No whole window of 30 s has media of a known protocol.');
    const by = { low: 0, medium: 0, high: 0 };
    for (const share of shares) by[tcpClassOf(share)] += 1;
    return { value: shares.length, by };
  },
};

/** The metric that correlates the TCP share of a session's windows with something else of them. */
function correlationMetric(
  naming: Pick<Metric, 'id' | 'label' | 'meaning' | 'paper'>,
  responseOf: (window: SessionWindow) => number,
): Metric {
  return {
    ...naming,
    unit: '',
    better: null,
    decimals: 2,
    unknown:
      'fewer than 20 windows (10 min) with a known TCP share, or one of the two series is the same in all windows',
    of(log) {
      const windows = sessionWindows(log);
      const { value, why } = crossCorrelation(
        windows.map(({ tcpShare }) => tcpShare),
        windows.map(responseOf),
      );
      if (value === null) return unmeasured(why);
      const { maximum, lag, shifts, shareOfShiftsLarger } = value;
      const lagS = (lag * WINDOW_MS) / 1000;
      const larger = Math.round(100 * shareOfShiftsLarger);
      return {
        value: maximum,
        note: `At a lag of ${lagS} s; ${larger} % of ${shifts} circular shifts have a larger maximum.`,
        by: { lagS, shareOfShiftsLarger },
      };
    },
  };
}

/** Never to be read without its shifts: two series of noise reach 0.47 at 10 windows. */
export const tcpQualityCorrelation = correlationMetric(
  {
    id: 'tcp-quality-correlation',
    label: 'TCP share × quality drop',
    meaning:
      'maximum over lags of ±8 windows of the cross-correlation of TCP share and quality drop B per window of 30 s; with its lag (above 0: the drop follows the TCP share) and the share of circular shifts whose maximum is larger',
    paper: 'Chaudhary et al., IEEE TNSM 21(3), 2024, §VII eq. 1 and Fig. 9; the shifts are ours',
  },
  ({ qualityDropS }) => qualityDropS,
);

/** Never to be read without its shifts. */
export const tcpStallCorrelation = correlationMetric(
  {
    id: 'tcp-stall-correlation',
    label: 'TCP share × stall',
    meaning:
      'maximum over lags of ±8 windows of the cross-correlation of TCP share and stall S per window of 30 s; with its lag (above 0: the stall follows the TCP share) and the share of circular shifts whose maximum is larger',
    paper: 'Chaudhary et al., IEEE TNSM 21(3), 2024, §VII eq. 2 and Fig. 9; the shifts are ours',
  },
  ({ stallS }) => stallS,
);
