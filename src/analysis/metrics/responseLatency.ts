import { timingMean } from '../timingMean.ts';

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
