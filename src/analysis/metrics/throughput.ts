import { kbpsOf } from '../../shared/units.ts';
import { mediaTimings, type MediaTiming, partsByProtocol } from '../transport/mediaTimings.ts';
import { type Metric, unmeasured } from './metric.ts';
import { NO_TIMING } from './latency.ts';

/**
 * A metric of bytes over time. Sums, not a mean of rates: a segment that comes out of a full socket in a millisecond has a
 * rate beyond all bounds, and the mean would be its.
 */
function throughputMetric(
  naming: Pick<Metric, 'id' | 'label' | 'meaning' | 'paper' | 'headline'>,
  durationOf: (timing: MediaTiming) => number,
): Metric {
  const rateOf = (timings: readonly MediaTiming[]): number | null =>
    kbpsOf(sum(timings.map(({ sizeBytes }) => sizeBytes)), sum(timings.map(durationOf)));
  return {
    ...naming,
    unit: 'kbit/s',
    better: 'higher',
    isPositive: true,
    parts: 'protocols',
    unknown: 'no segment has times of its first and last byte, or no time passed between them',
    of(log) {
      const timings = mediaTimings(log);
      if (timings.length === 0) return unmeasured(NO_TIMING);
      const value = rateOf(timings);
      return value === null
        ? unmeasured('No time passed between first and last byte.')
        : { value, by: partsByProtocol(timings, rateOf) };
    },
  };
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

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

/**
 * The 2020 letter's mismatch in one number: 1 − effective / latency-blind throughput, which is the response latency's
 * share of the download time. 0: the player's estimate is what a segment really gets; 50: a segment takes twice as long.
 */
export const throughputMismatch: Metric = {
  id: 'throughput-mismatch',
  label: 'throughput mismatch',
  meaning:
    '1 − effective throughput / throughput: the share of the download time, summed over the segments, that passes before the first byte and that an estimate without latency leaves out',
  unit: '%',
  better: 'lower',
  parts: 'protocols',
  paper: '2020 letter §V-A2 and §V-C (mismatch of expected throughput and real download time)',
  unknown: 'no segment has times of its request and its bytes, or no time passed',
  of(log) {
    const timings = mediaTimings(log);
    if (timings.length === 0) return unmeasured(NO_TIMING);
    const value = shareOf(timings);
    return value === null
      ? unmeasured('No time passed between request and last byte.')
      : { value, by: partsByProtocol(timings, shareOf) };
  },
};

function shareOf(timings: readonly MediaTiming[]): number | null {
  let [latencyMs, downloadMs] = [0, 0];
  for (const { startMs, firstByteMs, lastByteMs } of timings) {
    latencyMs += firstByteMs - startMs;
    downloadMs += lastByteMs - startMs;
  }
  return downloadMs > 0 ? (100 * latencyMs) / downloadMs : null;
}
