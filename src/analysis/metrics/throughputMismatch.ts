import { mediaTimings, type MediaTiming } from '../mediaTimings.ts';
import type { Metric } from '../metric.ts';
import { partsByProtocol } from '../partsByProtocol.ts';
import { NO_TIMING } from '../timingMean.ts';
import { unmeasured } from '../unmeasured.ts';

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
