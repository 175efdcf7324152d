import { OK } from '../../../analysis/timeline/columns.ts';
import { PROTOCOL_NAMES, PROTOCOLS } from '../../../analysis/transport/protocol.ts';
import { lastRow } from '../../../analysis/timeline/table.ts';
import type { View } from '../../chart.ts';
import { textAt, type Mark } from '../../marks/mark.ts';
import { primaryLane } from '../../requestRows.ts';
import { raceMarks } from '../../marks/raceMarks.ts';
import { protocolSpans } from '../../marks/protocolStrip.ts';
import {
  anyPlays,
  type CompareLane,
  hasEnded,
  ownView,
  type ComparedSession,
  placedMark,
  type PlacedMark,
} from '../compareLane.ts';
import { rowAxis } from '../sessionRows.ts';

const ROW_PX = 22;
const BAR_PX = 12;

/** What carried the media, a row each, with the browser's races where somebody recorded them. */
export const racing: CompareLane = {
  id: 'racing',
  label: 'Racing lanes',
  build({ sessions }, view) {
    const plays = anyPlays({ sessions });
    const unreported = sessions.filter((session) => !hasRaces(session)).map(({ look }) => look.letter);
    const races =
      unreported.length === sessions.length
        ? 'add a NetLog to see the races'
        : `Q: QUIC won, T: TCP won${unreported.length === 0 ? '' : `; ${unreported.join(', ')}: add a NetLog to see the races`}`;
    return {
      note: `${plays ? 'protocol under the video' : 'protocol of the downloads'}; ${races}`,
      sentence: `Which protocol carried the ${plays ? 'media' : 'files'} of ${sessions.length} sessions, a row each; ${races}.`,
      left: rowAxis(sessions, ROW_PX),
      right: null,
      marks: sessions.flatMap((session, row) => rowMarks(session, (row + 0.5) * ROW_PX, view)),
      heightPx: Math.max(1, sessions.length) * ROW_PX + 2,
    };
  },
  says(session, atMs) {
    if (hasEnded(session, atMs)) return 'ended';
    const { series, time } = session;
    const { lane: lanes, outcome, protocol } = series.requests.columns;
    const lane = primaryLane(series);
    const row = lastRow(
      series.requests,
      time.sessionMs(Math.min(atMs, time.endMs)),
      (each) => lanes[each] === lane && outcome[each] === OK,
    );
    return row === -1 ? '–' : PROTOCOL_NAMES[PROTOCOLS[protocol[row]!] ?? 'unknown'];
  },
};

const hasRaces = ({ series }: ComparedSession): boolean =>
  series.races.length > 0 || series.broken.length > 0;

function rowMarks(session: ComparedSession, y: number, view: View): Mark[] {
  const { series, time } = session;
  const strip = protocolSpans(series, { ...view, fromMs: 0, toMs: series.lastMs, nowMs: series.lastMs });
  if (strip.fromMs.length === 0)
    return [{ kind: 'texts', items: [textAt('no media was requested', { atMs: view.fromMs, y })] }];
  const own = ownView(session, view);
  if (!own) return [];
  const races = hasRaces(session) ? raceMarks(series, own, { badges: y, cars: y }) : [];
  const marks: PlacedMark[] = [
    { ...strip, ys: Array.from(strip.ys, () => y), heightPx: BAR_PX },
    // A session's own view shows which connection waited for which; here rows lie too close.
    ...races.filter((mark) => mark.kind === 'hatch' || mark.kind === 'texts'),
  ];
  return marks.map((mark) => placedMark(mark, time.of));
}
