import type { LineMark } from '../marks/mark.ts';
import { hasEnded, type ComparedSession, type Comparison } from './compareLane.ts';
import type { Axis, View } from '../chart.ts';

/** The most lines that dashes distinguish; more lines are thin, and the viewer chooses one. */
export const MANY_SESSIONS = 6;

/** The sessions in the order they are painted: what steps back first, what is looked at last. */
export const paintOrder = (comparison: Comparison): ComparedSession[] =>
  comparison.sessions.toSorted((one, other) => rank(one, comparison) - rank(other, comparison));

/** How a session's line is drawn. The reference is broad and lies under the others: one that follows it is still seen. */
export function sharedLine(
  session: ComparedSession,
  comparison: Comparison,
): Omit<LineMark, 'xs' | 'ys' | 'step'> {
  const { tone, dash } = session.look;
  const many = comparison.sessions.length > MANY_SESSIONS;
  const faded = rank(session, comparison) === 0;
  return {
    kind: 'line',
    axis: 'left',
    tone: faded ? 'line' : tone,
    widthPx: faded ? 1 : widthPx(session, comparison, many),
    dash: many || session === comparison.reference ? [] : dash,
    fill: false,
    halo: false,
  };
}

function widthPx(session: ComparedSession, { reference, chosen }: Comparison, many: boolean): number {
  if (session === chosen) return 2.5;
  if (session === reference) return many ? 2.5 : 4;
  return many ? 1.1 : 1.75;
}

function rank(session: ComparedSession, { reference, chosen }: Comparison): number {
  if (session === chosen) return 3;
  if (session === reference) return 1;
  return chosen === null || chosen === reference ? 2 : 0;
}

/** Px between two letters, one above the other. */
const LETTER_PX = 13;

/** The axis at the right edge: each session's letter at the height its line ends; none where there are too many to tell apart. */
export function endAxis(left: Axis, { sessions }: Comparison, { view, heightPx, valueAt }: EndedLines): Axis {
  if (sessions.length > MANY_SESSIONS) return { ...left, ticks: [] };
  const { top } = left;
  const gap = (LETTER_PX / heightPx) * top;
  let free = top;
  const ticks = sessions
    .flatMap((session) => {
      const value = hasEnded(session, view.toMs) ? null : valueAt(session, view.toMs);
      return value === null ? [] : [{ session, value: Math.min(value, top) }];
    })
    .sort((one, other) => other.value - one.value)
    .map(({ session: { look }, value }, index, all) => {
      const below = (all.length - 1 - index) * gap;
      const placed = Math.max(below, Math.min(value, free));
      free = placed - gap;
      return { value: placed, label: look.letter, tone: look.tone, strong: true };
    });
  return { ...left, ticks };
}

interface EndedLines {
  readonly view: View;
  readonly heightPx: number;
  /** The value of a session's line at a time of the axis, in ms; null: it has none. */
  readonly valueAt: (session: ComparedSession, atMs: number) => number | null;
}
