import { lastRow, valueAt } from '../../../analysis/timeline/table.ts';
import { axisFromZero } from '../../axis.ts';
import type { View } from '../../chart.ts';
import { lineRows } from '../../marks/wideRows.ts';
import type { LineMark } from '../../marks/mark.ts';
import { thinPoints } from '../../marks/thinning.ts';
import { formatAbsent } from '../sessionRows.ts';
import {
  anyPlays,
  type CompareLane,
  hasEnded,
  ownView,
  type ComparedSession,
  type Comparison,
} from '../compareLane.ts';
import { endAxis, paintOrder, sessionEnds, sharedLine } from '../sessionLines.ts';
import { NO_BREAK, formatNumber } from '../../../shared/format.ts';

const HEIGHT_PX = 118;

/** How much video lies ahead, of each session. */
export const buffer: CompareLane = {
  id: 'buffer',
  label: 'Buffer',
  hasData: anyPlays,
  build(comparison, view) {
    const max = Math.max(1, ...comparison.sessions.map(({ series }) => (series.maxLevelMs ?? 0) / 1000));
    const left = axisFromZero({ max, unit: 's', parts: 3 });
    return {
      note: '',
      sentence: `Video buffered ahead in seconds, of ${comparison.sessions.length} sessions as lines on one axis.`,
      left,
      right: endAxis(left, sessionEnds(comparison, view, levelAt), HEIGHT_PX),
      marks: [
        ...paintOrder(comparison).flatMap((session) => bufferLine(session, comparison, view)),
        formatAbsent(comparison, {
          view,
          y: left.top,
          what: 'no buffer was read',
          has: ({ series }) => series.buffer.video.length > 0,
        }),
      ],
      heightPx: HEIGHT_PX,
    };
  },
  says(session, atMs) {
    if (hasEnded(session, atMs)) return 'ended';
    const level = levelAt(session, atMs);
    return level === null ? '–' : `${formatNumber(level, 1)}${NO_BREAK}s`;
  },
};

export function levelAt({ series: { buffer: levels }, time }: ComparedSession, atMs: number): number | null {
  if (time.endMs === 0) return null;
  const row = lastRow(levels.video, time.sessionMs(Math.min(atMs, time.endMs)), () => true);
  const ms = valueAt(levels.video.columns.levelMs, row);
  return ms === null ? null : ms / 1000;
}

export function bufferLine(session: ComparedSession, comparison: Comparison, view: View): LineMark[] {
  const own = ownView(session, view);
  if (!own) return [];
  const table = session.series.buffer.video;
  const rows = lineRows(table, own, { name: 'level', values: table.columns.levelMs, keeps: () => true });
  const { xs, ys } = thinPoints(rows, own);
  if (xs.length === 0) return [];
  return [
    {
      ...sharedLine(session, comparison),
      xs: xs.map(session.time.of),
      ys: ys.map((ms) => ms / 1000),
      step: false,
    },
  ];
}
