import { meanOf } from './statistics/summaries.ts';
import { eventsOf } from './timeline/log.ts';
import { joinTime, rebufferRate } from './metrics/stalls.ts';
import { meanBitrate } from './metrics/quality.ts';
import { switchCount } from './metrics/switches.ts';
import type { SessionLog } from '../telemetry/schema/sessionLog.ts';

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

/** What lab and simulator are compared by. A value is null where its session does not contain it. */
const parityFigures = ['bitrateKbps', 'rebufferPerMinuteS', 'joinMs', 'switches', 'requests'] as const;

type ParityFigure = (typeof parityFigures)[number];
export type SessionFigures = Readonly<Record<ParityFigure, number | null>>;

/** s of a minute in which the picture moved or stood still for want of content, per % of it. */
const SECONDS_PER_PERCENT = 60 / 100;

/** The figures of one session. */
export function sessionFigures(log: SessionLog): SessionFigures {
  const rate = rebufferRate.of(log).value;
  return {
    bitrateKbps: meanBitrate.of(log).value,
    rebufferPerMinuteS: rate === null ? null : rate * SECONDS_PER_PERCENT,
    joinMs: joinTime.of(log).value,
    switches: switchCount.of(log).value,
    requests: eventsOf(log, 'request').filter(({ type, outcome }) => type === 'media' && outcome === 'ok')
      .length,
  };
}
