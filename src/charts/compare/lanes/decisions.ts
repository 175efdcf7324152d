import {
  decisionDifferences,
  type DecisionDifferences,
} from '../../../analysis/comparison/decisionDifferences.ts';
import type { View } from '../../chart.ts';
import { textAt, CELL_LOOKS, type CellsMark, type Mark } from '../../marks/mark.ts';
import {
  anyPlays,
  type CompareLane,
  hasEnded,
  referenceOf,
  type ComparedSession,
  type Comparison,
} from '../compareLane.ts';
import { formatSigned, formatCount } from '../../../shared/format.ts';

const ROW_PX = 30;
const CELL_PX = 12;

/** Segments for which a session chose another rung than the reference: above its line by so many, or below. */
export const decisions: CompareLane = {
  id: 'decisions',
  label: 'Decisions',
  hasData: anyPlays,
  build(comparison, view) {
    const others = comparison.sessions.filter((session) => !isReference(session, comparison));
    const letter = referenceWord(comparison);
    const heightPx = Math.max(1, others.length) * ROW_PX + 2;
    return {
      note: `levels above or below ${letter} for the same segment`,
      sentence: `Where sessions chose another level than ${letter} for the same segment: ${others.map((each) => `${each.look.letter} ${summary(each, comparison)}`).join('; ')}.`,
      left: {
        scale: 'linear',
        bottom: heightPx - 2,
        top: 0,
        ticks: others.map(({ look }, row) => ({
          value: (row + 0.5) * ROW_PX,
          line: true,
          tone: look.tone,
          strong: true,
          label: `${look.letter} − ${referenceOf(others[row]!, comparison).look.letter}`,
        })),
      },
      right: null,
      marks: others.flatMap((session, row) =>
        rowMarks(session, { comparison, view, y: (row + 0.5) * ROW_PX }),
      ),
      heightPx,
    };
  },
  says(session, atMs, comparison) {
    if (isReference(session, comparison)) return 'reference';
    const { why, differences } = differencesOf(session, comparison);
    if (why !== null) return '–';
    if (hasEnded(session, atMs)) return 'ended';
    const here = differences.find((each) => {
      const { fromMs, toMs } = placeOf(each, session);
      return fromMs <= atMs && atMs < toMs;
    });
    return here === undefined ? 'same' : formatSigned(here.rung - here.referenceRung);
  },
};

const isReference = (session: ComparedSession, comparison: Comparison): boolean =>
  referenceOf(session, comparison) === session;

const referenceWord = ({ reference, pairs }: Comparison): string =>
  pairs.length > 1 ? 'the reference of the same pair' : reference.look.letter;

/** Where a difference lies on the axis: its segment's playing time, or the time of the decision by the clock. */
export function placeOf(
  { atMs, bufferMs, segmentMs }: DecisionDifferences['differences'][number],
  { time }: ComparedSession,
): { fromMs: number; toMs: number } {
  const lengthMs = segmentMs ?? 1000;
  const fromMs = time.alignment === 'playback' ? time.of(atMs) + bufferMs : time.of(atMs);
  return { fromMs, toMs: fromMs + lengthMs };
}

const known = new WeakMap<
  ComparedSession['series'],
  WeakMap<ComparedSession['series'], DecisionDifferences>
>();

/** Two sessions are compared once: nothing of it changes with the view. */
export function differencesOf(
  session: ComparedSession,
  comparison: Pick<Comparison, 'pairs'>,
): DecisionDifferences {
  const { series } = session;
  const reference = referenceOf(session, comparison);
  const ofReference = known.get(reference.series) ?? new WeakMap();
  known.set(reference.series, ofReference);
  const differences: DecisionDifferences =
    ofReference.get(series) ?? decisionDifferences(reference.series, series);
  ofReference.set(series, differences);
  return differences;
}

function summary(session: ComparedSession, comparison: Comparison): string {
  const { why, differences, common } = differencesOf(session, comparison);
  if (why !== null) return why;
  return differences.length === 0
    ? `the same level for all of ${formatCount(common, 'segment')}`
    : `${differences.length} of ${formatCount(common, 'segment')}`;
}

function rowMarks(
  session: ComparedSession,
  { comparison, view, y }: { comparison: Comparison; view: View; y: number },
): Mark[] {
  const { why, differences } = differencesOf(session, comparison);
  const says = (text: string): Mark[] => [{ kind: 'texts', items: [textAt(text, { atMs: view.fromMs, y })] }];
  if (why !== null) return says(why);
  if (differences.length === 0) return says(summary(session, comparison));
  const placed = differences.map((each) => ({ ...each, ...placeOf(each, session) }));
  const shown = placed.filter(({ fromMs, toMs }) => toMs > view.fromMs && fromMs < view.toMs);
  const side = (above: boolean): CellsMark => {
    const cells = thinned(
      shown.filter(({ rung, referenceRung }) => rung > referenceRung === above),
      view,
    );
    return {
      kind: 'cells',
      fromMs: cells.map(({ fromMs }) => fromMs),
      // By wall time a session decides faster than its segments play while it fills its buffer.
      toMs: cells.map(({ toMs }, index) => Math.min(toMs, cells[index + 1]?.fromMs ?? toMs)),
      ys: cells.map(() => y + (above ? -1 : 1) * (CELL_PX / 2 + 1)),
      numbers: cells.map(({ rung, referenceRung }) => Math.abs(rung - referenceRung)),
      tone: cells.map(() => 0),
      tones: [session.look.tone],
      looks: cells.map(() => CELL_LOOKS.indexOf('decided')),
      heightPx: CELL_PX,
      maxWidthPx: 400,
    };
  };
  return [side(true), side(false)];
}

/** Keeps one cell for each pixel: the one with the greatest difference of rungs. */
function thinned<Cell extends { fromMs: number; rung: number; referenceRung: number }>(
  cells: readonly Cell[],
  { fromMs, toMs, maxPoints }: View,
): Cell[] {
  const perPixel = new Map<number, Cell>();
  for (const cell of cells) {
    const pixel = Math.floor(((cell.fromMs - fromMs) / (toMs - fromMs)) * maxPoints);
    const there = perPixel.get(pixel);
    if (!there || stepOf(cell) > stepOf(there)) perPixel.set(pixel, cell);
  }
  return [...perPixel.values()];
}

const stepOf = ({ rung, referenceRung }: { rung: number; referenceRung: number }): number =>
  Math.abs(rung - referenceRung);
