import type { LineMark } from '../marks/mark.ts';
import { hasEnded, type ComparedSession, type CompareLane, type Comparison } from './compareLane.ts';
import type { Axis, View } from '../chart.ts';
import type { SessionLook } from './sessionLooks.ts';

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

/** The axis at the right edge: a letter at the height each line ends, those that meet one below the other. */
export function endAxis(left: Axis, ends: readonly LineEnd[], heightPx: number): Axis {
  const { top } = left;
  const gap = (LETTER_PX / heightPx) * top;
  let free = top;
  const ticks = ends
    .map(({ look, value }) => ({ look, value: Math.min(value, top) }))
    .sort((one, other) => other.value - one.value)
    .map(({ look, value }, index, all) => {
      const below = (all.length - 1 - index) * gap;
      const placed = Math.max(below, Math.min(value, free));
      free = placed - gap;
      return { value: placed, label: look.letter, tone: look.tone, strong: true };
    });
  return { ...left, ticks };
}

/** Where a line ends at the right edge. */
export interface LineEnd {
  readonly look: SessionLook;
  readonly value: number;
}

/** The ends of the lines that reach the right edge; none where there are too many to tell apart. `valueAt` may know no value. */
export const sessionEnds = (
  { sessions }: Pick<Comparison, 'sessions'>,
  { toMs }: View,
  valueAt: (session: ComparedSession, atMs: number) => number | null,
): LineEnd[] =>
  sessions.length > MANY_SESSIONS
    ? []
    : sessions.flatMap((session) => {
        const value = hasEnded(session, toMs) ? null : valueAt(session, toMs);
        return value === null ? [] : [{ look: session.look, value }];
      });

/** The values of a moment: of each session, or of many the reference and the one that is looked at; of each arm, and of that one. */
export function readoutOf(
  lane: CompareLane,
  comparison: Comparison,
  atMs: number,
): { look: SessionLook; text: string }[] {
  const { arms, sessions, reference, chosen } = comparison;
  const few = sessions.length <= MANY_SESSIONS ? sessions : [...new Set([reference, chosen ?? reference])];
  const said = arms.length === 0 ? few : chosen ? [chosen] : [];
  return [
    ...arms.map((arm) => ({ look: arm.look, text: lane.saysArm?.(arm, atMs) ?? '–' })),
    ...said.map((session) => ({
      // Over bands its line has the colour of ink.
      look: arms.length === 0 ? session.look : { ...session.look, tone: 'ink' },
      text: lane.says(session, atMs, comparison),
    })),
  ];
}
