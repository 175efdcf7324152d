import type { LineMark } from '../mark.ts';
import type { ComparedSession, Comparison } from './comparedSession.ts';

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
