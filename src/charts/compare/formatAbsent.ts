import type { View } from '../chart.ts';
import type { TextsMark } from '../mark.ts';
import type { ComparedSession, Comparison } from './comparedSession.ts';
import { formatRow } from './formatRow.ts';

/** Says in the lane which sessions have nothing for it: "B, D: showed no picture". Nothing where all have. */
export function formatAbsent(
  { sessions }: Comparison,
  { view, y, has, what }: { view: View; y: number; has: (session: ComparedSession) => boolean; what: string },
): TextsMark {
  const letters = sessions.filter((session) => !has(session)).map(({ look }) => look.letter);
  return {
    kind: 'texts',
    items:
      letters.length === 0
        ? []
        : [formatRow(`${letters.join(', ')}: ${what}`, { atMs: view.fromMs, y }, { dyPx: 2 })],
  };
}
