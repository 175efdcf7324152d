import type { Metric } from '../metric.ts';
import { crossCorrelation } from '../statistics/crossCorrelation.ts';
import { unmeasured } from '../unmeasured.ts';
import { sessionWindows, type SessionWindow } from './sessionWindows.ts';
import { WINDOW_MS } from './windowsOf.ts';

/** The metric that correlates the TCP share of a session's windows with something else of them. */
export function correlationMetric(
  naming: Pick<Metric, 'id' | 'label' | 'meaning' | 'paper'>,
  responseOf: (window: SessionWindow) => number,
): Metric {
  return {
    ...naming,
    unit: '',
    better: null,
    decimals: 2,
    unknown:
      'fewer than 20 windows (10 min) with a known TCP share, or one of the two series is the same in all windows',
    of(log) {
      const windows = sessionWindows(log);
      const { value, why } = crossCorrelation(
        windows.map(({ tcpShare }) => tcpShare),
        windows.map(responseOf),
      );
      if (value === null) return unmeasured(why);
      const { maximum, lag, shifts, shareOfShiftsLarger } = value;
      const lagS = (lag * WINDOW_MS) / 1000;
      const larger = Math.round(100 * shareOfShiftsLarger);
      return {
        value: maximum,
        note: `At a lag of ${lagS} s; ${larger} % of ${shifts} circular shifts have a larger maximum.`,
        by: { lagS, shareOfShiftsLarger },
      };
    },
  };
}
