import { AUDIO } from '../analysis/codes.ts';
import { ladderAt } from '../analysis/ladderAt.ts';
import type { SessionSeries } from '../analysis/series.ts';
import { axisFromZero } from './axis.ts';
import type { Axis, Tick, View } from './chart.ts';
import { primaryLane } from './primaryLane.ts';

/** Room above the top rung: a network this much faster than the ladder is "fast enough", however fast. */
const HEADROOM = 1.35;
/** Px between two labels on the right, at the lowest height of the lane. */
const LEAST_SHARE = 0.12;

const ladderOf = (series: SessionSeries, atMs: number) =>
  ladderAt(series, primaryLane(series) === AUDIO ? 'audio' : 'video', atMs);

/** Mbit/s from 0 to above the ladder's top, so that the rungs fill the lane; the axis stays put while playing. */
export function bitrateAxis(series: SessionSeries, atMs: number): Axis {
  const topKbps = ladderOf(series, atMs)?.rungs.at(-1)?.bitrateKbps ?? 4000;
  return axisFromZero({ most: (topKbps * HEADROOM) / 1000, unit: 'Mbit/s' });
}

/** Rungs at the right edge: every one a tick, as many heights named as have room, the top one first. */
export function ladderTicks(series: SessionSeries, view: View, axis: Axis): Tick[] {
  const rungs = ladderOf(series, view.nowMs)?.rungs ?? [];
  let lastMbps = Infinity;
  return rungs
    .toReversed()
    .map(({ bitrateKbps, height }) => {
      const value = bitrateKbps / 1000;
      const named = height !== null && (lastMbps - value) / axis.top >= LEAST_SHARE;
      if (named) lastMbps = value;
      return { value, label: named ? `${height}p` : '' };
    })
    .toReversed();
}
