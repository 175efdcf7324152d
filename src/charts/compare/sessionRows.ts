import type { Axis, View } from '../chart.ts';
import type { ComparedSession, Comparison } from './compareLane.ts';
import { textAt, type TextsMark } from '../marks/mark.ts';

/** Makes an axis of rows that count downwards, each named by its session's letter. */
export const rowAxis = (sessions: readonly ComparedSession[], rowPx: number): Axis => ({
  scale: 'linear',
  bottom: Math.max(1, sessions.length) * rowPx,
  top: 0,
  ticks: sessions.map(({ look: { letter, tone } }, row) => ({
    value: (row + 0.5) * rowPx,
    label: letter,
    tone,
    strong: true,
  })),
});

/** Says in the lane which sessions have nothing for it: "B, D: showed no frame". Nothing where all have. */
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
        : [textAt(`${letters.join(', ')}: ${what}`, { atMs: view.fromMs, y }, { dyPx: 2 })],
  };
}
