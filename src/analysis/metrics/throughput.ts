import { formatCount } from '../../shared/format.ts';
import { groupBy } from '../../shared/groupBy.ts';
import { kbpsOf } from '../../shared/units.ts';
import { coveredMs, type Span } from '../timeline/spans.ts';
import { connectionsOf } from '../transport/connections.ts';
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
    kbpsOf(sizeOf(timings), coveredMs(timings.map(busyIn)));
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

const sizeOf = (timings: readonly MediaTiming[]): number =>
  timings.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);

const downloadOf = ({ startMs, lastByteMs }: MediaTiming): Span => ({ fromMs: startMs, toMs: lastByteMs });

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
  downloadOf,
);

/** What one connection gives while it is in use: with two of them at once, half of what the network gives. */
export const connectionThroughput: Metric = {
  id: 'connection-throughput',
  label: 'throughput per connection',
  meaning:
    'bits of media divided by the time in which their connection was downloading at least one segment (request start → last byte), that time summed over the connections; of the segments whose connection the NetLog, DevTools or the instrumented origin names',
  unit: 'kbit/s',
  better: 'higher',
  isPositive: true,
  parts: 'protocols',
  paper:
    'throughput as defined by MPC and Pensieve, of one connection; the mean over connections by their time in use is ours',
  unknown:
    'no transport source names connections, or no segment of them has times of its request and its bytes',
  of(log) {
    const connections = connectionsOf(log);
    if (connections.size === 0)
      return unmeasured('Neither a NetLog nor DevTools nor the instrumented origin names connections.');
    const timings = mediaTimings(log).filter(({ requestId }) => connections.has(requestId));
    const rateOf = (own: readonly MediaTiming[]): number | null =>
      kbpsOf(sizeOf(own), busyMs(byConnection(own, connections)));
    const value = rateOf(timings);
    return value === null
      ? unmeasured(NO_TIMING)
      : {
          value,
          note: `Media came over ${formatCount(byConnection(timings, connections).length, 'connection')}.`,
          by: partsByProtocol(timings, rateOf),
        };
  },
};

/** The downloads of each connection. */
const byConnection = (
  timings: readonly MediaTiming[],
  connections: ReadonlyMap<string, string>,
): MediaTiming[][] => [...groupBy(timings, ({ requestId }) => connections.get(requestId)).values()];

/** Sum of the times in which each group downloaded. */
const busyMs = (groups: readonly (readonly MediaTiming[])[]): number =>
  groups.reduce((sumMs, group) => sumMs + coveredMs(group.map(downloadOf)), 0);

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
    'the share of the download time, summed over the segments, that passes before the first byte and that an estimate without latency leaves out; where downloads overlap it is not 1 − effective throughput / throughput',
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
