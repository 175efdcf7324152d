import { groupBy } from '../shared/groupBy.ts';
import { normalTail } from './statistics/distributions.ts';
import { meanOf, quantile } from './statistics/summaries.ts';
import { eventsOf } from './timeline/log.ts';
import { joinTime, rebufferRate } from './metrics/stalls.ts';
import { meanBitrate } from './metrics/quality.ts';
import { switchCount } from './metrics/switches.ts';
import type { SessionLog } from '../telemetry/schema/sessionLog.ts';

/** One session of a campaign, played in the lab and in the simulator. */
export interface ParityPair {
  readonly cell: string;
  /** Absent where the campaign's plan is not at hand. */
  readonly factors?: ParityFactors;
  readonly lab: SessionFigures;
  readonly simulated: SessionFigures;
}

/**
 * What a cell is made of: its network and content (`place`), and what its arm has of each factor of the campaign, by the name
 * of the factor; '' for nothing. Two cells of one place that differ in one factor are a difference between arms.
 */
export interface ParityFactors {
  readonly place: string;
  readonly [factor: string]: string;
}

/** Figures of a cell in the lab and in the simulator: means over the sessions that have the figure in both. */
export interface ParityCell {
  readonly cell: string;
  readonly sessions: number;
  readonly figures: Readonly<Record<ParityFigure, Compared>>;
  readonly factors?: ParityFactors;
  /** Standard deviation of the lab's bitrates, in % of their mean; null below two sessions. */
  readonly labSpreadPercent: number | null;
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

/** Compares lab and simulator cell by cell, in the order of the cells' names. */
export function parityOf(pairs: readonly ParityPair[]): ParityCell[] {
  return [...groupBy(pairs, ({ cell }) => cell)]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([cell, own]) => cellOf(cell, own));
}

function cellOf(cell: string, pairs: readonly ParityPair[]): ParityCell {
  const figures = Object.fromEntries(
    parityFigures.map((figure) => [figure, compared(figure, pairs)]),
  ) as ParityCell['figures'];
  const gaps = (['bitrateKbps', 'rebufferPerMinuteS'] as const).filter(
    (figure) => Math.abs(figures[figure].difference ?? 0) > PARITY_LIMITS[figure],
  );
  const [first] = pairs;
  const factors = first?.factors;
  const labSpreadPercent = spreadPercent(pairs.flatMap(({ lab }) => lab.bitrateKbps ?? []));
  return { cell, ...(factors && { factors }), sessions: pairs.length, figures, labSpreadPercent, gaps };
}

function spreadPercent(values: readonly number[]): number | null {
  const mean = meanOf(values);
  if (mean === null || mean <= 0 || values.length < 2) return null;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return (100 * Math.sqrt(squares / (values.length - 1))) / mean;
}

/** Summary of all cells. */
export interface ParitySummary {
  readonly cells: number;
  /** Cells without a gap. */
  readonly within: number;
  /** Mean of the cells' differences in bitrate, in %; null without a cell. */
  readonly meanPercent: number | null;
  readonly medianPercent: number | null;
  /**
   * The share of cells that the lab itself would bring within the limit of bitrate if it played them again, by the spread of
   * its sessions and the normal distribution; null where no cell has two sessions.
   */
  readonly repeatable: number | null;
}

export function paritySummary(cells: readonly ParityCell[]): ParitySummary {
  const percents = cells.flatMap(({ figures }) => figures.bitrateKbps.difference ?? []).sort((a, b) => a - b);
  const repeated = cells.flatMap(({ labSpreadPercent, sessions }) =>
    labSpreadPercent === null ? [] : [chanceWithin(labSpreadPercent * Math.sqrt(2 / sessions))],
  );
  return {
    cells: cells.length,
    within: cells.filter(({ gaps }) => gaps.length === 0).length,
    meanPercent: meanOf(percents),
    medianPercent: percents.length === 0 ? null : quantile(percents, 0.5),
    repeatable: meanOf(repeated),
  };
}

/** Returns the chance that a difference with this standard deviation is within the limit of bitrate. */
const chanceWithin = (deviation: number): number =>
  deviation === 0 ? 1 : 1 - 2 * normalTail(PARITY_LIMITS.bitrateKbps / deviation);

/** What two arms that differ in one factor have apart, in the lab and in the simulator. */
export interface ParityDifference {
  /** Name of the factor in which the arms differ, as in `ParityFactors`. */
  readonly factor: string;
  readonly first: string;
  readonly second: string;
  /** Values of the other factors, which both arms have in common. */
  readonly within: string;
  readonly place: string;
  /** Mean bitrate of the first arm less that of the second in the lab, in kbit/s; `simulated` is that of the simulator. */
  readonly lab: number;
  readonly simulated: number;
}

const factorsIn = ({ place: _, ...factors }: ParityFactors): string[] => Object.keys(factors);

/**
 * The differences between arms that are beyond a margin in the lab.
 *
 * @param marginKbps from the second arm's bitrate in the lab
 */
export function parityDifferences(
  cells: readonly ParityCell[],
  marginKbps: (secondKbps: number) => number,
): ParityDifference[] {
  return cells.flatMap((first, index) =>
    cells.slice(0, index).flatMap((second) => differenceBetween(first, second, marginKbps) ?? []),
  );
}

function differenceBetween(
  { factors: one, figures: first }: ParityCell,
  { factors: other, figures: second }: ParityCell,
  marginKbps: (secondKbps: number) => number,
): ParityDifference | null {
  if (!one || !other || one.place !== other.place) return null;
  const names = factorsIn(one);
  const [factor, ...more] = names.filter((each) => one[each] !== other[each]);
  const [a, b] = [first.bitrateKbps, second.bitrateKbps];
  if (factor === undefined || more.length > 0 || a.lab === null || b.lab === null) return null;
  const lab = a.lab - b.lab;
  if (Math.abs(lab) <= marginKbps(b.lab)) return null;
  const common = names.filter((each) => each !== factor && one[each] !== '').map((each) => one[each]);
  return {
    factor,
    first: one[factor]!,
    second: other[factor]!,
    within: common.join('/'),
    place: one.place,
    lab,
    simulated: a.simulated! - b.simulated!,
  };
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
  const join = joinTime.of(log);
  return {
    bitrateKbps: meanBitrate.of(log).value,
    rebufferPerMinuteS: rate === null ? null : rate * SECONDS_PER_PERCENT,
    // Two joins that nobody saw the end of have no difference.
    joinMs: join.lowerBound ? null : join.value,
    switches: switchCount.of(log).value,
    requests: eventsOf(log, 'request').filter(({ type, outcome }) => type === 'media' && outcome === 'ok')
      .length,
  };
}
