import { meanOf } from '../statistics/summaries.ts';
import { parityFigures, type ParityFigure, type SessionFigures } from './sessionFigures.ts';

/** The same session of a campaign, played twice. */
export interface ParityPair {
  readonly cell: string;
  readonly lab: SessionFigures;
  readonly simulated: SessionFigures;
}

/** What both say of a cell: means over the sessions that have it in both. */
export interface ParityCell {
  readonly cell: string;
  readonly sessions: number;
  readonly figures: Readonly<Record<ParityFigure, Compared>>;
  /** What differs by more than it may, in the order of the figures. */
  readonly gaps: readonly ParityFigure[];
}

export interface Compared {
  readonly lab: number | null;
  readonly simulated: number | null;
  /** simulated − lab: in % of the lab's for the bitrate, else in its unit. */
  readonly difference: number | null;
}

/** How far simulator and lab may be apart before somebody has to say why: 5 % of bitrate, 1 s of stalls per minute. */
export const PARITY_LIMITS = { bitrateKbps: 5, rebufferPerMinuteS: 1 } as const;

/** Cell by cell, by name. */
export function parityOf(pairs: readonly ParityPair[]): ParityCell[] {
  const cells = new Map<string, ParityPair[]>();
  for (const pair of pairs) cells.set(pair.cell, [...(cells.get(pair.cell) ?? []), pair]);
  return [...cells].sort(([one], [other]) => (one < other ? -1 : 1)).map(([cell, own]) => cellOf(cell, own));
}

function cellOf(cell: string, pairs: readonly ParityPair[]): ParityCell {
  const figures = Object.fromEntries(
    parityFigures.map((figure) => [figure, compared(figure, pairs)]),
  ) as ParityCell['figures'];
  const gaps = (['bitrateKbps', 'rebufferPerMinuteS'] as const).filter(
    (figure) => Math.abs(figures[figure].difference ?? 0) > PARITY_LIMITS[figure],
  );
  return { cell, sessions: pairs.length, figures, gaps };
}

function compared(figure: ParityFigure, pairs: readonly ParityPair[]): Compared {
  const reported = pairs.flatMap(({ lab, simulated }) => {
    const [one, other] = [lab[figure], simulated[figure]];
    return one === null || other === null ? [] : [[one, other] as const];
  });
  const lab = meanOf(reported.map(([one]) => one));
  const simulated = meanOf(reported.map(([, other]) => other));
  if (lab === null || simulated === null) return { lab: null, simulated: null, difference: null };
  const difference = simulated - lab;
  if (figure !== 'bitrateKbps') return { lab, simulated, difference };
  return { lab, simulated, difference: lab > 0 ? (100 * difference) / lab : null };
}
