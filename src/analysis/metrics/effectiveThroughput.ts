import { throughputMetric } from '../throughputMetric.ts';

/** What the network really gave: the same bytes over the whole download. */
export const effectiveThroughput = throughputMetric(
  {
    id: 'effective-throughput',
    label: 'effective throughput',
    meaning:
      'bits of media divided by their download time (request start → last byte), both summed over the segments',
    paper: 'throughput as defined by MPC and Pensieve; 2020 letter §V-C (download time after the request)',
    headline: 8,
  },
  ({ startMs, lastByteMs }) => lastByteMs - startMs,
);
