import { mediaTimings, type MediaTiming, partsByProtocol } from '../transport/mediaTimings.ts';
import { meanOf } from '../statistics/summaries.ts';
import { type Metric, unmeasured } from './metric.ts';

export const NO_TIMING = 'No segment has times of its request and of its first and last byte.';

/**
 * A metric that is the mean of a time over the media requests that have it, also by protocol. Means can be combined and
 * include the tail.
 */
function timingMean(
  naming: Pick<Metric, 'id' | 'label' | 'meaning' | 'paper'>,
  timeOf: (timing: MediaTiming) => number,
  mediaType: MediaTiming['mediaType'] | null = null,
): Metric {
  const mean = (timings: readonly MediaTiming[]): number | null => meanOf(timings.map(timeOf));
  return {
    ...naming,
    unit: 'ms',
    better: 'lower',
    isPositive: true,
    parts: 'protocols',
    unknown: `no ${mediaType ? `${mediaType} ` : ''}segment has times of its request and its bytes`,
    of(log) {
      const timings = mediaTimings(log).filter((each) => mediaType === null || each.mediaType === mediaType);
      const value = mean(timings);
      return value === null ? unmeasured(NO_TIMING) : { value, by: partsByProtocol(timings, mean) };
    },
  };
}

/** How long the first byte of a segment lets wait. */
export const responseLatency = timingMean(
  {
    id: 'response-latency',
    label: 'response latency',
    meaning: 'mean time of an audio or video request from its start to its first byte',
    paper: '2020 letter §V-A, Figs. 6b and 7b',
  },
  ({ startMs, firstByteMs }) => firstByteMs - startMs,
);

/** Not the 2017 paper's "video latency", which is the join time. */
export const videoLatency = timingMean(
  {
    id: 'response-latency-video',
    label: 'video response latency',
    meaning: 'mean time of a video request from its start to its first byte',
    paper: '2020 letter §V-B, Fig. 9b',
  },
  ({ startMs, firstByteMs }) => firstByteMs - startMs,
  'video',
);

/** The letter's key finding: over QUIC audio waits behind video. */
export const audioLatency = timingMean(
  {
    id: 'response-latency-audio',
    label: 'audio response latency',
    meaning: 'mean time of an audio request from its start to its first byte',
    paper: '2020 letter §V-B, Fig. 9b',
  },
  ({ startMs, firstByteMs }) => firstByteMs - startMs,
  'audio',
);

/** What MPC, Pensieve and the simulator mean by a download. */
export const downloadTime = timingMean(
  {
    id: 'download-time',
    label: 'download time',
    meaning: 'mean time of an audio or video request from its start to its last byte',
    paper: '2020 letter §V-C; Mao et al., Pensieve, SIGCOMM 2017, §5.1 (download time of a chunk)',
  },
  ({ startMs, lastByteMs }) => lastByteMs - startMs,
);
