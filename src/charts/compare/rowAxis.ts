import type { Axis } from '../chart.ts';
import type { ComparedSession } from './comparedSession.ts';

/** An axis of rows that count downwards, each named by its session's letter. */
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
