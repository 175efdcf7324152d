import { OK } from '../analysis/codes.ts';
import { stallsUntil } from '../analysis/stallsUntil.ts';
import type { SessionSeries } from '../analysis/series.ts';
import type { Lane, View } from './chart.ts';
import { LOOKS, type Mark, type SpansMark } from './mark.ts';
import { primaryLane } from './primaryLane.ts';

/** Room of the strip: bars in the middle, stalls as a line below. */
const TOP_PX = 24;
const BAR_MIDDLE_PX = 12;

/** The whole session as one strip: which protocol carried the media, for how long, and where it failed. */
export function stints(series: SessionSeries, view: View): Lane {
  const marks: Mark[] = [
    runs(series, view),
    { kind: 'hatch', what: 'stall', spans: stallsUntil(series, view.nowMs), y: TOP_PX, heightPx: 4 },
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

/** Requests of the same protocol and outcome run together until another kind starts. */
function runs(series: SessionSeries, view: View): SpansMark {
  const { columns, length } = series.requests;
  const lane = primaryLane(series);
  const run = {
    fromMs: [] as number[],
    toMs: [] as number[],
    protocols: [] as number[],
    looks: [] as number[],
  };
  for (let row = 0; row < length; row += 1) {
    if (columns.lane[row] !== lane) continue;
    const look = LOOKS.indexOf(columns.outcome[row] === OK ? 'phases' : 'failed');
    const last = run.toMs.length - 1;
    const startMs = columns.atMs[row]!;
    const endMs = Number.isNaN(columns.endMs[row]!) ? startMs : columns.endMs[row]!;
    if (last >= 0 && run.protocols[last] === columns.protocol[row] && run.looks[last] === look) {
      run.toMs[last] = Math.max(run.toMs[last]!, endMs);
      continue;
    }
    if (last >= 0) run.toMs[last] = Math.max(run.fromMs[last]!, Math.min(startMs, view.nowMs));
    run.fromMs.push(startMs);
    run.toMs.push(endMs);
    run.protocols.push(columns.protocol[row]!);
    run.looks.push(look);
  }
  const ys = run.fromMs.map(() => BAR_MIDDLE_PX);
  return { kind: 'spans', ...run, midMs: run.fromMs, ys, heightPx: 12 };
}
