import { stallsAmong, totalMs, type Span, waitsUntil } from '../../../analysis/timeline/spans.ts';
import type { View } from '../../chart.ts';
import { textAt, type Mark, type TextItem } from '../../marks/mark.ts';
import { thinSpans } from '../../marks/thinning.ts';
import { anyPlays, type CompareLane, type ComparedSession } from '../compareLane.ts';
import { rowAxis } from '../sessionRows.ts';
import { PLAYING } from '../../../analysis/timeline/columns.ts';
import type { SessionSeries } from '../../../analysis/timeline/series.ts';
import { NO_BREAK, formatNumber, formatCount } from '../../../shared/format.ts';

const ROW_PX = 17;
const BAR_PX = 10;
/** The narrowest width at which hatching is visible. */
const MARK_PX = 6;
/** Width of a length in seconds with the space on both sides of it. */
const WORDS_PX = 44;

/** When the picture stood still, a row each: by playback time a mark with its length, by wall time a bar. */
export const stalls: CompareLane = {
  id: 'stalls',
  label: 'Stalls',
  hasData: anyPlays,
  build({ sessions }, view) {
    const waits = sessions.map((session) => waitsOf(session));
    const all = waits.map(stallsAmong);
    return {
      note: '',
      sentence: `Stalls: ${sessions.map(({ look }, row) => `${look.letter} ${formatCount(all[row]!.length, 'stall')}, ${formatNumber(totalMs(waits[row]!) / 1000, 1)} s`).join('; ')}.`,
      left: rowAxis(sessions, ROW_PX),
      right: null,
      marks: sessions.flatMap((session, row) => rowMarks(session, all[row]!, { row, view })),
      heightPx: Math.max(1, sessions.length) * ROW_PX + 2,
    };
  },
  says(session, atMs) {
    const seconds = stalledSeconds(session, atMs);
    return seconds === null ? 'no frame' : `${formatNumber(seconds, 1)}${NO_BREAK}s`;
  },
};

/** The rebuffer time of a session up to a time of the axis; null without a picture. */
export function stalledSeconds({ series, time }: ComparedSession, atMs: number): number | null {
  if (!hasShownPicture(series)) return null;
  return totalMs(waitsUntil(series, time.sessionMs(Math.min(atMs, time.endMs)) + 1)) / 1000;
}

const waitsOf = ({ series }: ComparedSession): Span[] => waitsUntil(series, series.lastMs);

function rowMarks(
  session: ComparedSession,
  spans: readonly Span[],
  { row, view }: { row: number; view: View },
): Mark[] {
  const y = (row + 0.5) * ROW_PX;
  const says = (text: string): Mark[] => [{ kind: 'texts', items: [textAt(text, { atMs: view.fromMs, y })] }];
  if (!hasShownPicture(session.series)) return says('never showed a frame');
  if (spans.length === 0) return says('none');
  const { of } = session.time;
  const shown = spans
    .map(({ fromMs, toMs }) => ({ fromMs: of(fromMs), toMs: of(toMs), lengthMs: toMs - fromMs }))
    .filter(({ fromMs, toMs }) => toMs >= view.fromMs && fromMs <= view.toMs);
  return [
    {
      kind: 'hatch',
      what: 'stall',
      spans: thinSpans(seen(shown, view), view),
      y: y + BAR_PX / 2,
      heightPx: BAR_PX,
    },
    { kind: 'texts', items: lengths(shown, { view, y }) },
  ];
}

/** A stall that takes no time of the axis is still a mark. */
function seen(shown: readonly Span[], { fromMs, toMs, maxPoints }: View): Span[] {
  const halfMs = ((MARK_PX / 2) * (toMs - fromMs)) / maxPoints;
  return shown.map((span) =>
    span.toMs - span.fromMs > 2 * halfMs
      ? span
      : { fromMs: span.fromMs - halfMs, toMs: span.fromMs + halfMs },
  );
}

/** The length beside each stall, as far as there is space. */
function lengths(
  shown: readonly (Span & { readonly lengthMs: number })[],
  { view, y }: { view: View; y: number },
): TextItem[] {
  const labelMs = (WORDS_PX * (view.toMs - view.fromMs)) / view.maxPoints;
  return shown.flatMap(({ toMs, lengthMs }, index) => {
    const next = shown[index + 1]?.fromMs ?? view.toMs;
    if (next - toMs < labelMs) return [];
    const text = `${formatNumber(lengthMs / 1000, 1)}${NO_BREAK}s`;
    return [textAt(text, { atMs: toMs, y }, { tone: 'stall', strong: true, dxPx: 5 })];
  });
}

const hasShownPicture = ({ states }: SessionSeries): boolean =>
  states.columns.state.subarray(0, states.length).includes(PLAYING);
