import { stallsUntil } from '../../analysis/timeline/spans.ts';
import type { SessionSeries } from '../../analysis/timeline/series.ts';
import type { Lane, View } from '../chart.ts';
import { LOOKS, type Mark, type SpansMark } from './mark.ts';
import { primaryLane, endLook } from '../requestRows.ts';
import { thinSpans } from './thinning.ts';

/** Space of the strip: bars in the middle, stalls as a line below. */
const TOP_PX = 24;
const BAR_MIDDLE_PX = 12;

/** The whole session as one strip: which protocol carried the media, for how long, and where it failed. */
export function protocolStrip(series: SessionSeries, view: View): Lane {
  const stalls = thinSpans(stallsUntil(series, view.nowMs), view);
  const marks: Mark[] = [
    protocolSpans(series, view),
    { kind: 'hatch', what: 'stall', spans: stalls, y: TOP_PX, heightPx: 4 },
  ];
  return {
    note: '',
    sentence: 'Whole session: which protocol carried the media, stalls, and the part shown below.',
    left: { scale: 'linear', bottom: TOP_PX, top: 0, ticks: [] },
    right: null,
    marks,
    heightPx: TOP_PX,
  };
}

/** The bars of the strip alone. */
export const protocolSpans = (series: SessionSeries, view: View): SpansMark =>
  spansOf(thinRuns(runsOf(series, view), view));

interface Run {
  readonly fromMs: number;
  toMs: number;
  readonly protocol: number;
  /** Index into LOOKS. */
  readonly look: number;
}

const FAILED = LOOKS.indexOf('failed');

/** Requests of the same protocol and outcome run together until another kind starts. */
function runsOf(series: SessionSeries, { nowMs }: View): Run[] {
  const { columns, length } = series.requests;
  const lane = primaryLane(series);
  const runs: Run[] = [];
  for (let row = 0; row < length; row += 1) {
    if (columns.lane[row] !== lane) continue;
    const look = LOOKS.indexOf(endLook(columns.outcome[row]!));
    const protocol = columns.protocol[row]!;
    const fromMs = columns.atMs[row]!;
    const toMs = Number.isNaN(columns.endMs[row]!) ? fromMs : columns.endMs[row]!;
    const last = runs.at(-1);
    if (last && last.protocol === protocol && last.look === look) {
      last.toMs = Math.max(last.toMs, toMs);
      continue;
    }
    if (last) last.toMs = Math.max(last.fromMs, Math.min(fromMs, nowMs));
    runs.push({ fromMs, toMs, protocol, look });
  }
  return runs;
}

/** One run per pixel where there are more: a failure, so that it is seen however short it was, else the longest. */
function thinRuns(runs: readonly Run[], { fromMs, toMs, maxPoints }: View): readonly Run[] {
  if (runs.length <= maxPoints) return runs;
  const pixelMs = (toMs - fromMs) / maxPoints;
  const perPixel = new Map<number, Run>();
  for (const run of runs) {
    const pixel = Math.min(maxPoints, Math.max(-1, Math.floor((run.fromMs - fromMs) / pixelMs)));
    const shown = perPixel.get(pixel);
    if (!shown || weightOf(run) > weightOf(shown)) perPixel.set(pixel, run);
  }
  return [...perPixel.values()];
}

const weightOf = ({ fromMs, toMs, look }: Run): number => (look === FAILED ? Infinity : toMs - fromMs);

function spansOf(runs: readonly Run[]): SpansMark {
  const fromMs = runs.map((run) => run.fromMs);
  return {
    kind: 'spans',
    fromMs,
    midMs: fromMs,
    toMs: runs.map((run) => run.toMs),
    protocols: runs.map((run) => run.protocol),
    looks: runs.map((run) => run.look),
    ys: runs.map(() => BAR_MIDDLE_PX),
    heightPx: 12,
  };
}
