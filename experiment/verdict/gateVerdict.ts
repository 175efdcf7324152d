import type { Gate, GateMetric } from '../design/gateFile.ts';
import { levelOfRegression } from '../design/gateDesign.ts';
import { formatMargin, logBound, marginInUnit, marginOf } from './margin.ts';
import { boundRareFaults, boundShare, type RareBound } from './rareBound.ts';
import type { Measured, Metric } from '../../src/analysis/metrics/metric.ts';
import { metrics } from '../../src/analysis/metrics/registry.ts';
import type { Interval } from '../../src/analysis/statistics/intervals.ts';
import { meanTest } from '../../src/analysis/statistics/meanIntervals.ts';
import {
  sequentialSignFlip,
  type Look,
  type SequentialOptions,
} from '../../src/analysis/statistics/sequentialSignFlip.ts';
import { pick } from '../../src/shared/registry.ts';
import { mean, meanOf } from '../../src/analysis/statistics/summaries.ts';

/** Verdict of a gate; `open` before its last look. */
export type GateVerdict = 'no-regression' | 'regression' | 'cannot-tell' | 'open';

/** One arm of a pair: the metrics by id, null where the log lacks them. */
export interface GateSession {
  /** Whether the session showed a frame, and no error ended it. */
  readonly played: boolean;
  /** Whether a try failed in a way that what it plays can cause, though a later one may have played; absent: no. */
  readonly crashed?: boolean;
  readonly values: ReadonlyMap<string, number | null>;
  /** What is not known exactly of values, by metric: the true one is at least so large, or its clock is off. Absent: nothing. */
  readonly inexact?: ReadonlyMap<string, Pick<Measured, 'lowerBound' | 'error'>>;
}

/**
 * A planned pair: its sessions of BASE and NEW, one of each for every transport. Empty where it does not count: a session
 * is missing, or the machine was the bottleneck in one.
 */
export type GatePair = readonly (readonly [base: GateSession, next: GateSession])[];

/** Sessions of each arm of a planned pair in which the machine was the bottleneck, or play began late, in at least one try. */
export type HeavySessions = readonly [base: number, next: number];

/** A look at the results, with the number of planned pairs before it and the share of the budget. */
export interface GateLook {
  readonly pairs: number;
  readonly share: number;
}

/** `within`: not beyond the margin. `regression`: worse than by chance, and nearer to the margin than to no difference. */
export type GateState = 'within' | 'regression' | 'open';

interface GateTest {
  readonly p: number;
  /** Alpha that may be spent up to this look. */
  readonly level: number;
  readonly isShown: boolean;
}

/** What is judged: a metric with its margin, whether sessions play, or whether NEW loads the machine more. */
export interface GateJudgement {
  readonly about: 'metric' | 'plays' | 'load';
  /** Metric that is judged; null: the judgement is not about a metric. */
  readonly metric: Metric | null;
  /** Margin as text, `5 %`, `0.5 %`; null where the judgement is not about a metric. */
  readonly margin: string | null;
  readonly isPercent: boolean;
  readonly state: GateState;
  /** Number of pairs with a value in both arms. */
  readonly pairs: number;
  /** Number of pairs in which only BASE has a value. `onlyNext` counts those in which only NEW has one. */
  readonly onlyBase: number;
  readonly onlyNext: number;
  /** Number of sessions of BASE and of NEW whose value is censored, where that looks good. */
  readonly censored: readonly [base: number, next: number];
  /** How far the clocks of both arms may be off together, in the metric's unit; null: nobody knows. */
  readonly clockError: number | null;
  /** Mean of BASE, or the number of its sessions that did not play, crashed in a try, or were heavy; `next` is NEW's. */
  readonly base: number | null;
  readonly next: number | null;
  /** Change, NEW less base: mean of the differences in the metric's unit, or of the ratios in %. null without a pair. */
  readonly change: number | null;
  /** Interval of the change at 95 %, by bootstrap-t over pairs, as if nobody had looked before. */
  readonly interval: Interval | null;
  readonly worse: GateTest;
  /** Test of whether NEW is inside the margin; null where there is no margin. */
  readonly inside: GateTest | null;
  /** What is ruled out of rare faults, for sessions that do not play and for metrics with a `rareEvent`; else null. */
  readonly rare: RareBound | null;
}

export interface GateResult {
  readonly verdict: GateVerdict;
  readonly judgements: readonly GateJudgement[];
}

type Judging = Pick<Gate, 'metrics' | 'alpha' | 'seed' | 'rareShare'> & {
  /** Number of patterns of signs that a test draws; for simulations of many gates. Absent: that of `sequentialSignFlip`. */
  readonly draws?: number;
};

interface GateOptions {
  readonly looks: readonly GateLook[];
  /** Whether the last look is the last of all. */
  readonly isOver: boolean;
  /** Heavy sessions of each planned pair, also of pairs that do not count; absent: not known. */
  readonly heavy?: readonly HeavySessions[];
  /** Number of resamples of the bootstrap of intervals; for simulations of many gates. */
  readonly resamples?: number;
}

/** Number of resamples: the same as for the intervals of verdicts (`compared.ts`). */
const RESAMPLES = 10_000;

/**
 * Judges the pairs of a gate at its last look so far. Pairs count in the order of the plan, so that a look is the same
 * whenever it is computed again.
 *
 * - **regression**: for one of the metrics, the hypothesis that nothing differs is rejected towards worse, and the mean change
 *   is nearer to the margin than to 0. The tests share alpha.
 * - **no-regression**: for every metric the hypothesis that NEW is worse by the margin is rejected, each at alpha (the
 *   intersection-union test, Berger 1982), faults in the declared share of sessions or more are ruled out where a metric is 0 in
 *   most sessions, and for sessions that do not play (`rareBound.ts`), NEW lacks no more values of it than BASE does, and no more sessions of NEW than of
 *   BASE fail to play. A crash that a later try did not repeat is a regression if chance does not explain that NEW has more of
 *   them, and does not keep NEW from passing otherwise: the lab has crashes of its own. Sessions that overload the machine are
 *   repeated or left out, so what is left are the better ones of an arm that is heavier: NEW does not pass while it has more
 *   of them than chance explains.
 */
export function gateVerdict(
  gate: Judging,
  planned: readonly GatePair[],
  { looks, isOver, heavy, resamples = RESAMPLES }: GateOptions,
): GateResult {
  const begun = looks.at(-1)?.pairs ?? 0;
  const pairs = planned.slice(0, begun);
  const judgements = [
    judgePlaying(gate, pairs, looks),
    ...(heavy ? [judgeLoad(gate, heavy.slice(0, begun))] : []),
    ...gate.metrics.map((metric) => judgeMetric(gate, metric, { pairs, looks, resamples })),
  ];
  const is = (state: GateState) => (each: GateJudgement) => each.state === state;
  if (judgements.some(is('regression'))) return { verdict: 'regression', judgements };
  if (judgements.every(is('within'))) return { verdict: 'no-regression', judgements };
  return { verdict: isOver ? 'cannot-tell' : 'open', judgements };
}

/** A value of each pair that has one, with the place of the pair in the plan. */
interface Placed<Value> {
  readonly place: number;
  readonly value: Value;
}

/** Returns the looks of a metric: how many of its values belong to each. */
const looksAt = (looks: readonly GateLook[], found: readonly Placed<unknown>[]): Look[] =>
  looks.map(({ pairs, share }) => ({ share, count: found.filter(({ place }) => place < pairs).length }));

function judgePlaying(gate: Judging, pairs: readonly GatePair[], looks: readonly GateLook[]): GateJudgement {
  const count = (pair: GatePair, arm: 0 | 1, is: (session: GateSession) => boolean): number =>
    pair.filter((sessions) => is(sessions[arm])).length;
  const bothArms = (is: (session: GateSession) => boolean): Placed<readonly [number, number]>[] =>
    pairs.flatMap((pair, place) =>
      pair.length === 0 ? [] : [{ place, value: [count(pair, 0, is), count(pair, 1, is)] as const }],
    );
  const found = bothArms(({ played, crashed }) => !played || crashed === true);
  const worsening = found.map(({ value: [base, next] }) => next - base);
  const worse = lastOf(sequentialSignFlip(worsening, looksAt(looks, found), optionsOf(gate)));
  const [base, next] = sums(found);
  const ended = bothArms(({ played }) => !played);
  const [endedBase, endedNext] = sums(ended);
  const rare = boundShare(
    ended.map(({ value: [base, next] }) => next > base),
    { alpha: gate.alpha, share: gate.rareShare, looks: looksAt(looks, ended) },
  );
  const isIn = endedNext <= endedBase && found.length > 0 && rare.isShown;
  return {
    about: 'plays',
    ...WITHOUT_METRIC,
    pairs: found.length,
    base,
    next,
    worse,
    rare,
    change: found.length === 0 ? null : next - base,
    state: worse.isShown ? 'regression' : isIn ? 'within' : 'open',
  };
}

const WITHOUT_METRIC = {
  metric: null,
  margin: null,
  isPercent: false,
  interval: null,
  inside: null,
  onlyBase: 0,
  onlyNext: 0,
  censored: [0, 0],
  clockError: 0,
} as const;

/** Alpha of the test that keeps a gate from passing. It may err more often than a verdict: it costs one and makes none. */
const LOAD_ALPHA = 0.1;

function judgeLoad({ seed }: Judging, heavy: readonly HeavySessions[]): GateJudgement {
  const more = heavy.map(([base, next]) => next - base);
  const look = { count: more.length, share: 1 };
  const worse = lastOf(sequentialSignFlip(more, [look], { alpha: LOAD_ALPHA, seed }));
  const [base, next] = sums(heavy.map((value, place) => ({ place, value })));
  return {
    about: 'load',
    ...WITHOUT_METRIC,
    pairs: heavy.length,
    base,
    next,
    worse,
    change: next - base,
    rare: null,
    state: worse.isShown ? 'open' : 'within',
  };
}

const sums = (found: readonly Placed<readonly [number, number]>[]): [base: number, next: number] =>
  found.reduce<[number, number]>(([base, next], { value }) => [base + value[0], next + value[1]], [0, 0]);

const optionsOf = (gate: Judging, alpha = levelOfRegression(gate)): SequentialOptions => {
  const { seed, draws } = gate;
  return draws === undefined ? { alpha, seed } : { alpha, seed, draws };
};

function judgeMetric(
  gate: Judging,
  { metric: id, ...given }: GateMetric,
  { pairs, looks, resamples }: Pick<GateOptions, 'looks'> & { pairs: readonly GatePair[]; resamples: number },
): GateJudgement {
  const metric: Metric = pick(metrics, id);
  const margin = marginOf(given);
  const bound = margin.isPercent ? logBound(margin.value) : margin.value;
  const found = pairs.flatMap((pair, place) => {
    const value = valuesOf(pair, id);
    return value === null ? [] : [{ place, value }];
  });
  const worseningOf = ([base, next]: readonly [number, number]): number => {
    const change = margin.isPercent ? Math.log(next / base) : next - base;
    return metric.better === 'higher' ? -change : change;
  };
  const worsening = found.map(({ value }) => mean(value.map(worseningOf)));
  const rare = boundRare(gate, metric, { pairs, looks, worseningOf, margin: bound });
  const at = looksAt(looks, found);
  const worse = lastOf(sequentialSignFlip(worsening, at, optionsOf(gate)));
  const distance = worsening.map((each) => bound - each);
  const inside = lastOf(sequentialSignFlip(distance, at, optionsOf(gate, gate.alpha)));
  const [onlyBase, onlyNext] = ([0, 1] as const).map((arm) => countOnly(pairs, id, arm)) as [number, number];
  const inexact = inexactOf(pairs, metric);
  const base = meanOf(found.map(({ value }) => mean(value.map(([each]) => each))));
  const { isInside, isWorse } = claimable(inexact, base === null ? Infinity : marginInUnit(margin, base));
  // A session that NEW does not finish, and BASE does, has no value: the pairs that are left are those in which NEW is good.
  const hasAll = onlyBase <= onlyNext && isInside;
  const isIn = hasAll && inside.isShown && mean(worsening) < bound && isRuledOut(rare);
  return {
    about: 'metric',
    onlyBase,
    onlyNext,
    ...inexact,
    metric,
    margin: formatMargin(margin, metric.unit),
    isPercent: margin.isPercent,
    pairs: found.length,
    worse,
    inside,
    rare,
    ...changeOf(worsening, { metric, isPercent: margin.isPercent, resamples }),
    base,
    next: meanOf(found.map(({ value }) => mean(value.map(([, next]) => next)))),
    state: isIn ? 'within' : isWorse && worse.isShown && mean(worsening) > bound / 2 ? 'regression' : 'open',
  };
}

/** Counts pairs in which more sessions of this arm than of the other have a value of the metric. */
function countOnly(pairs: readonly GatePair[], id: string, arm: 0 | 1): number {
  const known = (pair: GatePair, of: 0 | 1): number =>
    pair.filter((sessions) => Number.isFinite(sessions[of].values.get(id) ?? null)).length;
  return pairs.filter((pair) => known(pair, arm) > known(pair, arm === 0 ? 1 : 0)).length;
}

type Inexact = Pick<GateJudgement, 'censored' | 'clockError'>;

/** Says what is not known exactly of the values of a metric. A censored value is too low, which looks good only where lower is better. */
function inexactOf(pairs: readonly GatePair[], { id, better }: Metric): Inexact {
  const arms = [0, 1].map((arm) =>
    pairs.flatMap((pair) => pair.flatMap((both) => both[arm]!.inexact?.get(id) ?? [])),
  );
  const cutOf = (arm: 0 | 1): number =>
    better === 'lower' ? arms[arm]!.filter(({ lowerBound }) => lowerBound).length : 0;
  const errors = arms.map((each) => each.flatMap(({ error }) => (error === undefined ? [] : [error])));
  const isKnown = errors.flat().every((error) => error !== null);
  return {
    censored: [cutOf(0), cutOf(1)],
    clockError: isKnown ? errors.reduce((sum, each) => sum + (meanOf(each as number[]) ?? 0), 0) : null,
  };
}

/** Says which claims inexact values allow: none by clocks that are off by more than the margin, and none for an arm with more waits cut off. */
function claimable(
  { censored: [base, next], clockError }: Inexact,
  margin: number,
): { readonly isInside: boolean; readonly isWorse: boolean } {
  const isExact = (clockError ?? Infinity) <= margin;
  return { isInside: isExact && next <= base, isWorse: isExact && base <= next };
}

const isRuledOut = (rare: RareBound | null): boolean => rare === null || rare.isShown;

/** Bounds the share of rare faults; null for a metric that is not 0 in most sessions. */
function boundRare(
  gate: Judging,
  { id, rareEvent }: Metric,
  { pairs, looks, worseningOf, margin }: Rarely,
): RareBound | null {
  if (rareEvent === undefined) return null;
  const worst = pairs.flatMap((pair, place) => {
    const value = worstOf(pair, id, worseningOf);
    return value === null ? [] : [{ place, value }];
  });
  return boundRareFaults(
    worst.map(({ value }) => value),
    { alpha: gate.alpha, share: gate.rareShare, looks: looksAt(looks, worst), margin },
  );
}

interface Rarely extends Pick<GateOptions, 'looks'> {
  readonly pairs: readonly GatePair[];
  readonly margin: number;
  worseningOf(values: readonly [number, number]): number;
}

/**
 * Returns by how much NEW is worse in the session of a pair in which it is most: Infinity where BASE has a value and NEW has
 * none. null where no session of the pair has a value of BASE.
 */
function worstOf(pair: GatePair, id: string, worseningOf: Rarely['worseningOf']): number | null {
  const known = pair.flatMap((sessions) => {
    const [base, next] = sessions.map(({ values }) => values.get(id) ?? null);
    if (base == null || !Number.isFinite(base)) return [];
    return [next == null || !Number.isFinite(next) ? Infinity : worseningOf([base, next])];
  });
  return known.length === 0 ? null : Math.max(...known);
}

/** Returns the values of both arms under each transport; null where one is not known. */
function valuesOf(pair: GatePair, id: string): readonly (readonly [number, number])[] | null {
  const values = pair.map((sessions) => sessions.map(({ values: known }) => known.get(id) ?? null));
  const isKnown = values.length > 0 && values.every((both) => both.every((value) => Number.isFinite(value)));
  return isKnown ? (values as unknown as readonly (readonly [number, number])[]) : null;
}

const lastOf = <Result>(results: readonly Result[]): Result => {
  const last = results.at(-1);
  if (last === undefined) throw new Error('a gate is judged after a look');
  return last;
};

/** Computes the change of NEW, up where its values are higher, with its interval. */
function changeOf(
  worsening: readonly number[],
  { metric, isPercent, resamples }: { metric: Metric; isPercent: boolean; resamples: number },
): Pick<GateJudgement, 'change' | 'interval'> {
  if (worsening.length === 0) return { change: null, interval: null };
  const changes = worsening.map((each) => (metric.better === 'higher' ? -each : each));
  const test = meanTest(changes, { seed: 1, resamples });
  const shown = (value: number): number => (isPercent ? 100 * Math.expm1(value) : value);
  const ends = test.interval(0.95);
  return { change: shown(test.value), interval: ends && [shown(ends[0]), shown(ends[1])] };
}
