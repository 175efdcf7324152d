import { kbpsOf } from '../shared/units.ts';
import { mediaTimings, type MediaTiming } from './mediaTimings.ts';
import type { Metric } from './metric.ts';
import { partsByProtocol } from './partsByProtocol.ts';
import { NO_TIMING } from './timingMean.ts';
import { unmeasured } from './unmeasured.ts';

/**
 * A metric of bytes over time. Sums, not a mean of rates: a segment that comes out of a full socket in a millisecond has a
 * rate beyond all bounds, and the mean would be its.
 */
export function throughputMetric(
  naming: Pick<Metric, 'id' | 'label' | 'meaning' | 'paper' | 'headline'>,
  durationOf: (timing: MediaTiming) => number,
): Metric {
  const rateOf = (timings: readonly MediaTiming[]): number | null =>
    kbpsOf(sum(timings.map(({ sizeBytes }) => sizeBytes)), sum(timings.map(durationOf)));
  return {
    ...naming,
    unit: 'kbit/s',
    better: 'higher',
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
