import { mediaTimings, type MediaTiming } from './mediaTimings.ts';
import { meanOf } from './meanOf.ts';
import type { Metric } from './metric.ts';
import { partsByProtocol } from './partsByProtocol.ts';
import { unmeasured } from './unmeasured.ts';

export const NO_TIMING = 'No segment has times of its request and of its first and last byte.';

/**
 * A metric that is the mean of a time over the media requests that have it, also by protocol. Means can be combined and
 * include the tail.
 */
export function timingMean(
  naming: Pick<Metric, 'id' | 'label' | 'meaning' | 'paper'>,
  timeOf: (timing: MediaTiming) => number,
  mediaType: MediaTiming['mediaType'] | null = null,
): Metric {
  const mean = (timings: readonly MediaTiming[]): number | null => meanOf(timings.map(timeOf));
  return {
    ...naming,
    unit: 'ms',
    better: 'lower',
    parts: 'protocols',
    unknown: `no ${mediaType ? `${mediaType} ` : ''}segment has times of its request and its bytes`,
    of(log) {
      const timings = mediaTimings(log).filter((each) => mediaType === null || each.mediaType === mediaType);
      const value = mean(timings);
      return value === null ? unmeasured(NO_TIMING) : { value, by: partsByProtocol(timings, mean) };
    },
  };
}
