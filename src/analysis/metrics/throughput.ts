import { throughputMetric } from '../throughputMetric.ts';

/** What dash.js calls throughput: blind to the latency before the first byte. */
export const throughput = throughputMetric(
  {
    id: 'throughput',
    label: 'throughput',
    meaning:
      'bits of media divided by the time from first to last byte, both summed over the segments: the throughput that a player measures if it ignores the response latency',
    paper: '2020 letter §V-A2 (throughput between first and last byte); 2019 study §IV-A',
  },
  ({ firstByteMs, lastByteMs }) => lastByteMs - firstByteMs,
);
