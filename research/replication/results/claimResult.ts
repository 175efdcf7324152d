import type { Aggregate } from './aggregate.ts';
import { formatSigns } from './byNetwork.ts';
import { formatStatement } from '../pages/formatVerdicts.ts';
import { isWithdrawn } from './withdrawn.ts';
import type { Claim } from '../paperCampaign.ts';
import { metrics } from '../../../src/analysis/metrics/registry.ts';
import type { Interval } from '../../../src/analysis/statistics/intervals.ts';
import { holm, type Direction, type Judgement } from '../../../src/analysis/statistics/verdict.ts';
import { pick } from '../../../src/shared/registry.ts';
import { decimalsOf, formatCount, formatP, formatSigned, formatUnit } from '../../../src/shared/format.ts';

/**
 * What a paper's claim comes to in our sessions. `research/papers/README.md` lists the same outcomes for readers.
 *
 * A claim that one arm is higher or lower has one of these outcomes ("ours" is our difference):
 * - `same`: ours has this direction, and the paper's size, where it gives one, is in our interval or from half of ours to twice
 *   ours.
 * - `smaller`: ours has this direction, and the paper's size is above our interval and more than twice ours.
 * - `larger`: ours has this direction, and the paper's size is below our interval and less than half of ours.
 * - `opposite`: ours has the other direction.
 * - `size excluded`: ours shows no direction, and the paper's size is outside our interval.
 * - `cannot tell`: ours shows no direction, and the paper gives no size, or one that is in our interval.
 *
 * A claim that there is no difference has one of these outcomes:
 * - `same`: ours shows no direction and is inside the margin.
 * - `a difference, inside the margin`: ours shows a direction and is inside the margin.
 * - `a difference`: ours shows a direction, and it is not shown to be inside the margin.
 * - `not contradicted`: ours shows no direction, and it is not shown to be inside the margin.
 *
 * Either claim may be `not known`: no pair has a value, or the results have not been scored by this version. One that cannot
 * fail in our lab is `cannot fail` in place of `same`: it says nothing about the paper. One whose values are `withdrawn`
 * (`withdrawn.ts`) says nothing until its sessions are played again.
 */
export type ClaimOutcome =
  | 'same'
  | 'smaller'
  | 'larger'
  | 'opposite'
  | 'size excluded'
  | 'cannot tell'
  | 'a difference, inside the margin'
  | 'a difference'
  | 'not contradicted'
  | 'cannot fail'
  | 'not known'
  | 'withdrawn';

export interface ClaimResult {
  /** Our result: its numbers, in words. `short` has the difference and its interval alone. */
  readonly ours: string;
  readonly short: string;
  readonly outcome: ClaimOutcome;
  /** Outcome by the expectation from before the data, where that was another one; null elsewhere. */
  readonly outcomeBefore: ClaimOutcome | null;
}

/**
 * Returns the results of a campaign's claims, in their order; null where these sessions cannot answer: a network that the
 * scaled campaign leaves out. A direction needs an interval that excludes 0 and p below alpha after Holm's correction: over the
 * declared comparisons on the primary metric, over the claims themselves on all others.
 */
export function claimResults(
  claims: readonly Claim[],
  aggregate: Aggregate,
): readonly (ClaimResult | null)[] {
  const asked = claims.filter((claim) => isPlayed(claim, aggregate));
  const corrected = correctedPs(asked, aggregate);
  return claims.map((claim) => {
    if (!asked.includes(claim)) return null;
    if (isWithdrawn(aggregate, claim.metric)) return WITHDRAWN;
    const found = isPrimary(claim, aggregate)
      ? judged(claim, aggregate)
      : described(claim, aggregate, corrected.get(claim) ?? 1);
    return found === null ? unknown('no pair has a value') : resultOf(claim, found, aggregate);
  });
}

/** Counts the claims that Holm's correction of the exploratory ones is over. */
export const exploratoryClaims = (claims: readonly Claim[], aggregate: Aggregate): number =>
  claims.filter((claim) => isPlayed(claim, aggregate) && !isPrimary(claim, aggregate)).length;

const WITHDRAWN: ClaimResult = {
  ours: 'withdrawn: the stream has sound, and the stalls of these sessions lack up to 3 s each',
  short: 'withdrawn: the stream has sound, and stalls lack up to 3 s each',
  outcome: 'withdrawn',
  outcomeBefore: null,
};

const unknown = (ours: string): ClaimResult => ({
  ours,
  short: ours,
  outcome: 'not known',
  outcomeBefore: null,
});

const isPlayed = ({ network }: Claim, { campaign }: Aggregate): boolean =>
  network === null || campaign.profiles.includes(network);

const isPrimary = ({ metric }: Claim, { campaign }: Aggregate): boolean => metric === campaign.primary;

/** Our result, as a claim is compared with it. */
interface Found extends Judgement {
  /** Mean over pairs of the first less the second. `interval` is its 95 % interval. */
  readonly difference: number;
  readonly interval: Interval | null;
  /** Number of pairs and p, in words. */
  readonly basis: string;
  /** Percent, direction and relevance in words, or that the result is exploratory. */
  readonly statement: string;
}

/** Finds our result on the primary metric, where the declared verdict alone counts. */
function judged(claim: Claim, { verdicts, campaign }: Aggregate): Found | null {
  const line = verdicts.find(({ comparison }) => isOf(claim, comparison));
  if (!line || line.difference === null) return null;
  const { difference, interval, judgement, pairs, holmP } = line;
  return {
    ...(judgement ?? { direction: 'cannot-tell', relevance: 'undecided' }),
    difference,
    interval,
    basis: `${formatCount(pairs.compared, 'pair')}, p_Holm ${formatP(holmP ?? 1)}`,
    statement: formatStatement(judgement, campaign, pick(metrics, claim.metric)),
  };
}

/** Finds our result on another metric: interval and test give a direction, no verdict. Columns are `exploratoryTable`'s. */
function described(claim: Claim, aggregate: Aggregate, holmP: number): Found | null {
  const row = exploratoryRow(claim, aggregate);
  if (row === undefined) return null;
  const [pairs, difference] = row.slice(PAIRS_PLACE, PAIRS_PLACE + 2).map(Number) as [number, number];
  const [from, to] = row.slice(PAIRS_PLACE + 2, PAIRS_PLACE + 4);
  const interval = typeof from === 'number' && typeof to === 'number' ? ([from, to] as const) : null;
  const direction: Direction = holmP < aggregate.campaign.alpha ? sideOf(interval) : 'cannot-tell';
  const p = pOf(row);
  return {
    difference,
    interval,
    direction,
    relevance: 'undecided',
    basis: `${formatCount(pairs, 'pair')}, p ${formatP(p)}, p_Holm ${formatP(holmP)}`,
    statement: `${direction.replace('-', ' ')}, exploratory`,
  };
}

const PAIRS_PLACE = 6;
const P_PLACE = 13;

type Row = Aggregate['exploratory']['rows'][number];

const pOf = (row: Row | undefined): number => Number(row?.[P_PLACE] ?? 1);

const sideOf = (interval: Interval | null): Direction =>
  interval !== null && interval[0] > 0
    ? 'higher'
    : interval !== null && interval[1] < 0
      ? 'lower'
      : 'cannot-tell';

function exploratoryRow(claim: Claim, { exploratory }: Aggregate): Row | undefined {
  const { label } = pick(metrics, claim.metric);
  return exploratory.rows.find(
    ([name, , first, second, within, network]) =>
      name === label &&
      isOf(claim, {
        first: String(first),
        second: String(second),
        within: String(within),
        network: network === 'all' ? null : String(network),
      }),
  );
}

/** Corrects the p of claims. One without a pair stays in the family: what is claimed counts, not what could be played. */
function correctedPs(asked: readonly Claim[], aggregate: Aggregate): ReadonlyMap<Claim, number> {
  const family = asked.filter((claim) => !isPrimary(claim, aggregate));
  const corrected = holm(family.map((claim) => pOf(exploratoryRow(claim, aggregate))));
  return new Map(family.map((claim, place) => [claim, corrected[place]!]));
}

type Compared = Pick<Claim, 'first' | 'second' | 'within' | 'network'>;

const isOf = (claim: Claim, { first, second, within, network }: Compared): boolean =>
  claim.first === first && claim.second === second && claim.within === within && claim.network === network;

function resultOf(claim: Claim, found: Found, aggregate: Aggregate): ClaimResult {
  const size = sizeOf(claim, aggregate);
  const before = claim.setAfterData?.before;
  const outcome = outcomeOf(claim.expects, found, size);
  return {
    ours: formatOurs(claim, found, aggregate),
    short: formatShort(claim, found),
    outcome: outcome === 'same' && claim.cannotFail !== undefined ? 'cannot fail' : outcome,
    // Sizes belong to the present expectation.
    outcomeBefore: before === undefined ? null : outcomeOf(before, found, null),
  };
}

function outcomeOf(expects: Claim['expects'], found: Found, size: number | null): ClaimOutcome {
  if (expects === 'no difference') return outcomeOfNone(found);
  const isWithin = size === null || isPlausible(size, found);
  if (found.direction === 'cannot-tell') return isWithin ? 'cannot tell' : 'size excluded';
  if (found.direction !== expects) return 'opposite';
  return isWithin ? 'same' : comparedSizes(Math.abs(size), Math.abs(found.difference));
}

/** Compares the sizes of two differences in one direction, where the paper's size is not in our interval. */
function comparedSizes(papers: number, ours: number): ClaimOutcome {
  if (papers > 2 * ours) return 'smaller';
  return 2 * papers < ours ? 'larger' : 'same';
}

function outcomeOfNone({ direction, relevance }: Judgement): ClaimOutcome {
  if (direction === 'cannot-tell') return relevance === 'inside' ? 'same' : 'not contradicted';
  return relevance === 'inside' ? 'a difference, inside the margin' : 'a difference';
}

/** Returns whether a size is in our interval. Without an interval every size is plausible. */
const isPlausible = (size: number, { interval }: Found): boolean =>
  interval === null || (interval[0] <= size && size <= interval[1]);

/** Returns the paper's size in the metric's unit; a percentage is taken of our second arm's mean. */
function sizeOf(claim: Claim, { verdicts, arms }: Aggregate): number | null {
  if (claim.sizePercent === undefined) return claim.size ?? null;
  const arm = verdicts.find(({ comparison }) => isOf(claim, comparison))?.comparison.secondArm;
  const mean = arms.find((each) => each.arm === arm && each.network === claim.network)?.means[claim.metric];
  return mean === undefined || mean === null ? null : (claim.sizePercent / 100) * mean;
}

/** Formats `−6 kbit/s (−14 to −2)`. */
function formatShort({ metric }: Claim, { difference, interval }: Found): string {
  const decimals = decimalsOf(interval, difference);
  const ends = interval?.map((end) => formatSigned(end, decimals));
  const range = ends ? `${ends[0]!} to ${ends[1]!}` : 'no interval';
  return `${formatSigned(difference, decimals)}${formatUnit(pick(metrics, metric).unit)} (${range})`;
}

function formatOurs(claim: Claim, found: Found, { byNetwork }: Aggregate): string {
  const { unit } = pick(metrics, claim.metric);
  const { difference, interval, basis, statement } = found;
  const decimals = decimalsOf(interval, difference);
  const ends = interval?.map((end) => formatSigned(end, decimals));
  const range = ends ? `95 % ${ends[0]!} to ${ends[1]!}` : 'no interval';
  const signs = formatSigns(byNetwork, claim);
  return `${formatSigned(difference, decimals)}${formatUnit(unit)} (${range}, ${basis}): ${statement}${signs === null ? '' : `; ${signs}`}`;
}
