import { groupBy } from '../../src/shared/groupBy.ts';
import type { Comparison } from './comparisons.ts';
import type { CampaignFile } from '../design/campaignFile.ts';
import { networkGroup } from '../design/networks.ts';
import type { CampaignPlan, PlannedSession } from '../design/plan.ts';
import { differenceOf } from '../../src/analysis/statistics/verdict.ts';

/** A metric of a campaign's sessions, by their ids: null where the log lacks it, absent without a finished log. */
export type SessionValues = ReadonlyMap<string, number | null>;

/**
 * The sessions whose value is censored, by their ids: the true one is at least so large (`Measured.lowerBound`). Kaplan and Meier 1958
 * call it right-censored.
 */
export type CensoredSessions = Pick<ReadonlySet<string>, 'has'>;

/** A set of names, as `design.pair` has them, or a map of what is known of each. */
export type NamesOfPairs = Pick<ReadonlySet<string>, 'has'>;

/**
 * What a simulator played in a session, as a hash, by the session's id. Two with the same are one observation. A real
 * player never plays the same twice: it has none.
 */
export type PlaybackHashes = ReadonlyMap<string, string>;

/** What a test and an interval count: pairs, or networks, each with the mean over its pairs. */
export type Unit = 'pair' | 'network';

/** The unit of inference that a campaign declares (`infer`). */
export const unitOf = ({ infer }: Pick<CampaignFile, 'infer'>): Unit =>
  infer === 'network' ? 'network' : 'pair';

/** Values of the first and of the second arm, both known. */
export type PairValues = readonly [number, number];

/** The pairs of a comparison, and what became of those that are not among them. */
export interface Pairs {
  readonly unit: Unit;
  /** Values of each unit: of a pair, or the means over the pairs of a network. */
  readonly values: readonly PairValues[];
  /** The pairs of each network, in the order of `values`; null where the unit is the pair. */
  readonly byNetwork: readonly (readonly PairValues[])[] | null;
  /** Network of each unit, in the order of `values`; for traces of one household that of the first. '' without a link. */
  readonly networks: readonly string[];
  /** Number of pairs with both values, whatever the unit. */
  readonly compared: number;
  readonly planned: number;
  /** Number of pairs left out because at least one arm has no finished log. */
  readonly missing: number;
  /** Number of pairs left out because they are invalidated. */
  readonly flagged: number;
  /** Pairs left out although both arms have logs: the metric is not known in the first, in the second, or in both. */
  readonly unknown: { readonly first: number; readonly second: number; readonly both: number };
  /** Number of pairs left out because a simulator played both arms just as in a pair that counts already. */
  readonly copies: number;
  /** Number of sessions of each arm that gave no log, or no value, outside invalidated pairs. */
  readonly lost: InEachArm;
  /** Number of sessions of each arm with a censored value. */
  readonly censored: InEachArm;
}

/** A number for each of the two arms of a comparison. */
interface InEachArm {
  readonly first: number;
  readonly second: number;
}

/** What is known of a campaign's sessions; `flagged` are the invalidated pairs. */
export interface KnownOfSessions {
  readonly values: SessionValues;
  readonly flagged: NamesOfPairs;
  readonly playbackHashes: PlaybackHashes;
  /** Sessions with a censored value; absent: none is known to have one. */
  readonly censored?: CensoredSessions;
}

export const pairsOf = (
  plan: Pick<CampaignPlan, 'campaign' | 'sessions'>,
  comparison: Comparison,
  known: KnownOfSessions,
): Pairs => pairsIn(couplesOf(plan, comparison, known), known);

/** The sessions of a comparison two by two, and what became of those that are not among them: the same for every metric. */
export interface Couples extends Omit<
  Pairs,
  'values' | 'byNetwork' | 'networks' | 'compared' | 'unknown' | 'lost' | 'censored'
> {
  readonly couples: readonly Couple[];
  /** Number of sessions of each arm without a finished log. */
  readonly unfinished: InEachArm;
}

/** Joins the sessions of a comparison two by two. `values` only says which are finished: those with a value, be it null. */
export function couplesOf(
  { campaign, sessions }: Pick<CampaignPlan, 'campaign' | 'sessions'>,
  comparison: Comparison,
  { values, flagged, playbackHashes }: KnownOfSessions,
): Couples {
  const found = plannedCouples(sessions, comparison);
  const clean = found.filter(([{ design }]) => !flagged.has(design.pair));
  const finished = clean.filter((couple) => couple.every(({ id }) => values.has(id)));
  const couples = withoutCopies(finished, playbackHashes);
  const unfinishedIn = (arm: 0 | 1): number => clean.filter((couple) => !values.has(couple[arm].id)).length;
  return {
    unfinished: { first: unfinishedIn(0), second: unfinishedIn(1) },
    unit: unitOf(campaign),
    couples,
    planned: found.length,
    missing: clean.length - finished.length,
    flagged: found.length - clean.length,
    copies: finished.length - couples.length,
  };
}

/** Returns the values of couples in one metric. */
export function pairsIn(
  { couples, unfinished, ...counts }: Couples,
  { values, censored }: Pick<KnownOfSessions, 'values' | 'censored'>,
): Pairs {
  const all = couples.map((couple): { network: string; values: readonly (number | null)[] } => ({
    network: couple[0].link?.network ?? '',
    values: couple.map(({ id }) => values.get(id) ?? null),
  }));
  const count = (first: boolean, second: boolean): number =>
    all.filter(({ values: [a, b] }) => isKnown(a) === first && isKnown(b) === second).length;
  const unknown = { first: count(false, true), second: count(true, false), both: count(false, false) };
  const censoredIn = (arm: 0 | 1): number =>
    couples.filter((couple) => censored?.has(couple[arm].id) === true).length;
  const there = all.filter((each): each is KnownCouple => each.values.every(isKnown));
  const groups = counts.unit === 'network' ? groupsOf(there) : null;
  const byNetwork = groups && groups.map((group) => group.map((each) => each.values));
  return {
    ...counts,
    byNetwork,
    values: byNetwork ? byNetwork.map(meanValues) : there.map((each) => each.values),
    networks: groups ? groups.map(([first]) => first!.network) : there.map(({ network }) => network),
    compared: there.length,
    unknown,
    lost: {
      first: unfinished.first + unknown.first + unknown.both,
      second: unfinished.second + unknown.second + unknown.both,
    },
    censored: { first: censoredIn(0), second: censoredIn(1) },
  };
}

interface KnownCouple {
  readonly network: string;
  readonly values: PairValues;
}

/** Groups couples by network, in the order in which the networks first occur. */
const groupsOf = (couples: readonly KnownCouple[]): KnownCouple[][] => [
  ...groupBy(couples, ({ network }) => networkGroup(network)).values(),
];

const meanValues = (pairs: readonly PairValues[]): PairValues => [meanAt(pairs, 0), meanAt(pairs, 1)];

const meanAt = (pairs: readonly PairValues[], arm: 0 | 1): number =>
  pairs.reduce((sum, pair) => sum + pair[arm], 0) / pairs.length;

type Couple = readonly [PlannedSession, PlannedSession];

/** Keeps the first of all pairs with the same two playback hashes: the others are copies of it. */
function withoutCopies(couples: readonly Couple[], playbackHashes: PlaybackHashes): Couple[] {
  const seen = new Set<string>();
  return couples.filter(([first, second]) => {
    const [one, other] = [playbackHashes.get(first.id), playbackHashes.get(second.id)];
    if (one === undefined || other === undefined) return true;
    const playbackHash = `${one} ${other}`;
    return !seen.has(playbackHash) && seen.add(playbackHash);
  });
}

/** Returns the first and the second arm of each pair, in the plan's order. */
function plannedCouples(
  sessions: readonly PlannedSession[],
  { firstArm, secondArm, network }: Comparison,
): Couple[] {
  const among = sessions.filter(({ link }) => network === null || link?.network === network);
  const seconds = new Map(
    among.filter(({ design }) => design.arm === secondArm).map((each) => [each.design.pair, each]),
  );
  return among.flatMap((first) => {
    const second = seconds.get(first.design.pair);
    return first.design.arm === firstArm && second ? [[first, second] as const] : [];
  });
}

/** Returns whether a value is known. A metric answers finite numbers or null; what is neither is not known either. */
const isKnown = (value: number | null | undefined): value is number => Number.isFinite(value);

/** First less second, of each pair. */
export const differencesOf = (values: Pairs['values']): number[] =>
  values.map(([a, b]) => differenceOf(a, b));

/** null where a value is not above 0: it has no ratio. */
export const logRatiosOf = (values: Pairs['values']): number[] | null =>
  values.every((pair) => pair.every((value) => value > 0))
    ? values.map(([a, b]) => (differenceOf(a, b) === 0 ? 0 : Math.log(a / b)))
    : null;
