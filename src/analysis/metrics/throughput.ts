import { throughputMetric } from '../throughputMetric.ts';

/** What dash.js calls throughput: blind to the latency before the first byte. */
export const throughput = throughputMetric(
  {
    id: 'throughput',
    label: 'throughput',
    meaning:
      'bits of media over the time they flowed (first → last byte), both summed over the segments: what a player that does not see the response latency takes the network for',
    paper: '2020 letter §V-A2 (throughput between first and last byte); 2019 study §IV-A',
  },
  ({ firstByteMs, lastByteMs }) => lastByteMs - firstByteMs,
);
