import { PLAY_REQUESTED } from '../timeline/columns.ts';
import { playingSpans, totalMs, type Span } from '../timeline/spans.ts';
import type { SessionSeries } from '../timeline/series.ts';

/** What the shared axis counts: video that was played, or time on the viewer's clock. */
export const ALIGNMENTS = ['playback', 'wall'] as const;
export type Alignment = (typeof ALIGNMENTS)[number];

/** A session's own time on an axis that several sessions share. Both directions never go back. */
export interface AlignedTime {
  /** Session time to axis time, ms. */
  of(atMs: number): number;
  /** Axis time to the first moment of the session that lies there, ms. */
  sessionMs(axisMs: number): number;
  /** Axis time at which the session ends; 0 for playback that never began. */
  readonly endMs: number;
  readonly alignment: Alignment;
}

/**
 * `playback`: 0 is the first frame and time stands still while the picture does, so that a moment of the axis is the same
 * moment of the video in all sessions that did not seek. `wall`: 0 is the first time play was asked for, or the start of
 * the recording where nobody asked.
 */
export function alignedTime(series: SessionSeries, alignment: Alignment): AlignedTime {
  return alignment === 'playback' ? playedTime(series) : wallTime(series);
}

function wallTime(series: SessionSeries): AlignedTime {
  const { atMs, state } = series.states.columns;
  const asked = state.subarray(0, series.states.length).indexOf(PLAY_REQUESTED);
  const zeroMs = asked === -1 ? 0 : atMs[asked]!;
  return {
    alignment: 'wall',
    of: (sessionMs) => sessionMs - zeroMs,
    sessionMs: (axisMs) => axisMs + zeroMs,
    endMs: Math.max(0, series.lastMs - zeroMs),
  };
}

function playedTime(series: SessionSeries): AlignedTime {
  const spans = playingSpans(series, series.lastMs);
  /** Played before each span. */
  const beforeMs: number[] = [];
  let sumMs = 0;
  for (const { fromMs, toMs } of spans) {
    beforeMs.push(sumMs);
    sumMs += toMs - fromMs;
  }
  return {
    alignment: 'playback',
    of(atMs) {
      const index = lastAtOrBefore(spans.length, (place) => spans[place]!.fromMs <= atMs);
      if (index < 0) return 0;
      const { fromMs, toMs } = spans[index]!;
      return beforeMs[index]! + Math.min(atMs, toMs) - fromMs;
    },
    sessionMs(axisMs) {
      // The end of one span and the start of the next are one moment of the axis: the first of both is meant.
      const index = lastAtOrBefore(spans.length, (place) => beforeMs[place]! < axisMs);
      const { fromMs, toMs } = spans[Math.max(0, index)] ?? nothing(series);
      return Math.min(toMs, fromMs + Math.max(0, axisMs - (beforeMs[Math.max(0, index)] ?? 0)));
    },
    endMs: totalMs(spans),
  };
}

const nothing = ({ lastMs }: SessionSeries): Span => ({ fromMs: lastMs, toMs: lastMs });

/** Greatest place that fits, where all that fit come first; -1 when none does. */
function lastAtOrBefore(length: number, fits: (place: number) => boolean): number {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (fits(middle)) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
