import { AUDIO } from '../analysis/timeline/columns.ts';
import { ladderAt } from '../analysis/timeline/moment.ts';
import type { SessionSeries } from '../analysis/timeline/series.ts';
import { axisFromZero } from './axis.ts';
import type { Axis, Tick, View } from './chart.ts';
import { primaryLane } from './primaryLane.ts';

/** Space above the top rung: a network this much faster than the ladder is "fast enough", however fast. */
const HEADROOM = 1.35;
/** Px between two labels on the right, at the lowest height of the lane. */
const MIN_SHARE = 0.12;

const mediaTypeOf = (series: SessionSeries) => (primaryLane(series) === AUDIO ? 'audio' : 'video');

/**
 * Mbit/s from 0 to above the top of every ladder in the view, so that the rungs fill the lane; the axis stays put while
 * playing. A ladder is read while the period before it still plays, so what comes next may not lower it.
 */
export function bitrateAxis(series: SessionSeries, { fromMs, nowMs }: Pick<View, 'fromMs' | 'nowMs'>): Axis {
  const mediaType = mediaTypeOf(series);
  const inView = series.ladders.filter(
    (each) => each.mediaType === mediaType && each.fromMs > fromMs && each.fromMs <= nowMs,
  );
  const tops = [ladderAt(series, mediaType, fromMs), ...inView].map(
    (each) => each?.rungs.at(-1)?.bitrateKbps ?? 0,
  );
  const topKbps = Math.max(...tops) || 4000;
  return axisFromZero({ max: (topKbps * HEADROOM) / 1000, unit: 'Mbit/s' });
}

/** Rungs at the right edge: every one a tick, as many heights named as have space, the top one first. */
export function ladderTicks(series: SessionSeries, view: View, axis: Axis): Tick[] {
  const rungs = ladderAt(series, mediaTypeOf(series), view.nowMs)?.rungs ?? [];
  let lastMbps = Infinity;
  return rungs
    .toReversed()
    .map(({ bitrateKbps, height }) => {
      const value = bitrateKbps / 1000;
      const named = height !== null && (lastMbps - value) / axis.top >= MIN_SHARE;
      if (named) lastMbps = value;
      return { value, label: named ? `${height}p` : '' };
    })
    .toReversed();
}
