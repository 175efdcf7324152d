import { kbpsOf } from '../../shared/units.ts';
import { coveredMs, type Span } from '../timeline/spans.ts';
import { mediaTimings, type MediaTiming, partsByProtocol } from '../transport/mediaTimings.ts';
import { type Metric, unmeasured } from './metric.ts';
import { NO_TIMING } from './latency.ts';

/**
 * A metric of bytes over time. The time is that in which at least one download was busy: where audio and video, or several
 * connections, download at once, a sum of their durations would count the same second several times, and the rate would be
 * below what really arrived. Bytes and time are those of the whole session, and no mean of rates: a segment that comes out
 * of a full socket in a millisecond has a rate beyond all bounds, and the mean would be its.
 */
function throughputMetric(
  naming: Pick<Metric, 'id' | 'label' | 'meaning' | 'paper' | 'headline'>,
  busyIn: (timing: MediaTiming) => Span,
): Metric {
  const rateOf = (timings: readonly MediaTiming[]): number | null =>
    kbpsOf(sum(timings.map(({ sizeBytes }) => sizeBytes)), coveredMs(timings.map(busyIn)));
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

const PARTS = 'for a protocol, the same of its own segments (the protocols do not add up to the whole)';

/** What arrives while something arrives: blind to the latency before the first byte, as the estimate of dash.js. */
export const throughput = throughputMetric(
  {
    id: 'throughput',
    label: 'throughput',
    meaning: `bits of media divided by the time in which at least one segment was between its first and its last byte; ${PARTS}`,
    paper:
      '2020 letter §V-A2 (throughput between first and last byte); 2019 study §IV-A; concurrent downloads as in ExoPlayer, DefaultBandwidthMeter',
  },
  ({ firstByteMs, lastByteMs }) => ({ fromMs: firstByteMs, toMs: lastByteMs }),
);

/** What the network really gave: the same bytes over the time in which anything was being downloaded. */
export const effectiveThroughput = throughputMetric(
  {
    id: 'effective-throughput',
    label: 'effective throughput',
    meaning: `bits of media divided by the time in which at least one segment was being downloaded (request start → last byte); ${PARTS}`,
    paper:
      'throughput as defined by MPC and Pensieve, which download one segment at a time; 2020 letter §V-C (download time after the request); concurrent downloads as in ExoPlayer, DefaultBandwidthMeter',
    headline: 8,
  },
  ({ startMs, lastByteMs }) => ({ fromMs: startMs, toMs: lastByteMs }),
);

/**
 * The 2020 letter's mismatch in one number: the response latency's share of the download time of a segment. 0: the player's
 * estimate is what a segment really gets; 50: a segment takes twice as long. Sums over the segments are right here, also
 * where downloads overlap, because this is no rate of the network: it compares what a player measures of a request with what
 * this request took, and both sums have the same requests.
 */
export const throughputMismatch: Metric = {
  id: 'throughput-mismatch',
  label: 'throughput mismatch',
  meaning:
    'the share of the download time, summed over the segments, that passes before the first byte and that an estimate without latency leaves out; it compares a request with itself and is therefore not 1 − effective throughput / throughput where downloads overlap',
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
