import { VIDEO } from '../../../analysis/timeline/columns.ts';
import { ladderAt } from '../../../analysis/timeline/moment.ts';
import type { SessionSeries } from '../../../analysis/timeline/series.ts';
import { lastRow, valueAt } from '../../../analysis/timeline/table.ts';
import { axisFromZero } from '../../axis.ts';
import type { View } from '../../chart.ts';
import { lineRows } from '../../marks/wideRows.ts';
import type { LineMark } from '../../marks/mark.ts';
import { thinPoints } from '../../marks/thinning.ts';
import {
  anyPlays,
  type CompareLane,
  hasEnded,
  ownView,
  type ComparedSession,
  type Comparison,
} from '../compareLane.ts';
import { endAxis, paintOrder, sessionEnds, sharedLine } from '../sessionLines.ts';
import { formatAbsent } from '../sessionRows.ts';
import { NO_BREAK, formatNumber } from '../../../shared/format.ts';

const HEIGHT_PX = 156;

/** The rung on screen, of each session. */
export const bitrate: CompareLane = {
  id: 'bitrate',
  label: 'Rendered bitrate',
  hasData: anyPlays,
  build(comparison, view) {
    const left = axisFromZero({ max: maxMbps(comparison), unit: 'Mbit/s' });
    const rendered = (session: ComparedSession): boolean => lastOf(session, Infinity) !== null;
    return {
      note: '',
      sentence: `Rendered video bitrate of ${comparison.sessions.length} sessions in Mbit/s, as steps on one axis.`,
      left,
      right: endAxis(left, sessionEnds(comparison, view, megaAt), HEIGHT_PX),
      marks: [
        ...paintOrder(comparison).flatMap((session) => bitrateLine(session, comparison, view)),
        formatAbsent(comparison, { view, y: left.top, has: rendered, what: 'showed no frame' }),
      ],
      heightPx: HEIGHT_PX,
    };
  },
  says(session, atMs) {
    if (hasEnded(session, atMs)) return 'ended';
    const mega = megaAt(session, atMs);
    return mega === null ? '–' : `${formatNumber(mega, 2)}${NO_BREAK}Mbit/s`;
  },
};

/** The top rung of the longest ladder, so that the axis stays where it is. */
const maxMbps = ({ sessions }: Comparison): number =>
  Math.max(
    0.1,
    ...sessions.map(
      ({ series }) => (ladderAt(series, 'video', series.lastMs)?.rungs.at(-1)?.bitrateKbps ?? 0) / 1000,
    ),
  );

const isRendered = ({ switches }: SessionSeries, row: number): boolean =>
  switches.columns.rendered[row] === 1 && switches.columns.lane[row] === VIDEO;

const lastOf = ({ series }: ComparedSession, sessionMs: number): number | null =>
  valueAt(
    series.switches.columns.bitrateKbps,
    lastRow(series.switches, sessionMs, (row) => isRendered(series, row)),
  );

/** What is on screen at a moment of the axis; null before the first picture and after the end. */
export function megaAt(session: ComparedSession, atMs: number): number | null {
  const { time } = session;
  if (time.endMs === 0) return null;
  const kbps = lastOf(session, time.sessionMs(Math.min(atMs, time.endMs)) + ROUNDING_MS);
  return kbps === null || atMs < 0 ? null : kbps / 1000;
}

/** The first rung's event may come in the same moment as the first frame. */
const ROUNDING_MS = 50;

export function bitrateLine(session: ComparedSession, comparison: Comparison, view: View): LineMark[] {
  const own = ownView(session, view);
  if (!own) return [];
  const { series, time } = session;
  const rows = lineRows(series.switches, own, {
    name: `rendered ${VIDEO}`,
    values: series.switches.columns.bitrateKbps,
    keeps: (row) => isRendered(series, row),
  });
  const { xs, ys } = thinPoints(rows, own);
  if (xs.length === 0) return [];
  const times = xs.map(time.of);
  const rates = ys.map((kbps) => kbps / 1000);
  times.push(Math.min(time.endMs, Math.max(view.toMs, times.at(-1)!)));
  rates.push(rates.at(-1)!);
  return [{ ...sharedLine(session, comparison), xs: times, ys: rates, step: true }];
}
