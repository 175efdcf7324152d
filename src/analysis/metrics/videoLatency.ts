import { timingMean } from '../timingMean.ts';

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
