import type { Aggregate } from './aggregate.ts';
import type { Claim } from './paperCampaign.ts';
import { metrics } from '../../src/analysis/metrics/registry.ts';
import { pick } from '../../src/shared/registry.ts';
import { decimalsOf, formatCount, formatP, formatSigned, formatUnit } from '../../src/shared/format.ts';

/** What became of a paper's claim here. */
export interface ClaimResult {
  /** Ours, as numbers in words. */
  readonly ours: string;
  readonly outcome: 'same' | 'different' | 'not contradicted' | 'cannot tell' | 'not known';
}

/** null where these sessions cannot answer: a network that the scaled campaign leaves out. */
export function claimResult(claim: Claim, aggregate: Aggregate): ClaimResult | null {
  const { campaign } = aggregate;
  if (claim.network !== null && !campaign.profiles.includes(claim.network)) return null;
  const found = claim.metric === campaign.primary ? judged(claim, aggregate) : described(claim, aggregate);
  if (found === null) return { ours: 'no pair has a value', outcome: 'not known' };
  return { ours: formatOurs(claim, found), outcome: outcomeOf(claim.expects, found.direction) };
}

type Direction = 'higher' | 'lower' | 'no difference' | null;

interface Found {
  /** First less second, mean over pairs, and its 95 % interval. */
  readonly difference: number;
  readonly interval: readonly [number, number];
  readonly pairs: number;
  /** In words: with its correction, or without. */
  readonly p: string;
  readonly verdict: string;
  /** null: the two cannot be distinguished. */
  readonly direction: Direction;
}

/** On the primary metric the declared verdict alone counts. */
function judged(claim: Claim, { verdicts }: Aggregate): Found | null {
  const line = verdicts.find(({ comparison }) => isOf(claim, comparison));
  if (!line || line.difference === null || line.interval === null) return null;
  const { difference, interval, verdict, holmP, pairs } = line;
  return {
    ...{ difference, interval, pairs: pairs.compared, p: `p_Holm ${formatP(holmP ?? 1)}` },
    verdict: (verdict ?? 'no verdict').replace('-', ' '),
    direction: judgedDirection(verdict, difference),
  };
}

function judgedDirection(verdict: Aggregate['verdicts'][number]['verdict'], difference: number): Direction {
  if (verdict === 'equivalent') return 'no difference';
  if (verdict === 'better' || verdict === 'worse') return difference > 0 ? 'higher' : 'lower';
  return null;
}

/** On all others interval and test together say which way, and it is no verdict. Columns as `exploratoryTable` has them. */
function described(claim: Claim, { exploratory }: Aggregate): Found | null {
  const { label } = pick(metrics, claim.metric);
  const row = exploratory.rows.find(
    ([name, , first, second, within, network]) =>
      name === label &&
      isOf(claim, {
        ...{ first: String(first), second: String(second), within: String(within) },
        network: network === 'all' ? null : String(network),
      }),
  );
  const [pairs, difference, from, to] = (row ?? []).slice(6, 10).map(Number);
  if (row === undefined || difference === undefined) return null;
  const interval = [from!, to!] as const;
  const p = row[P_PLACE] === null ? null : Number(row[P_PLACE]);
  return {
    ...{ difference, interval, pairs: pairs!, verdict: 'exploratory' },
    p: p === null ? 'no test' : `p ${formatP(p)}`,
    direction: describedDirection(interval, p),
  };
}

const P_PLACE = 13;
const ALPHA = 0.05;

/** A few sessions can move the interval of a mean away from 0 where most pairs are alike: the ranks have to agree. */
function describedDirection([from, to]: readonly [number, number], p: number | null): Direction {
  if (from === 0 && to === 0) return 'no difference';
  if (p !== null && p >= ALPHA) return null;
  return from > 0 ? 'higher' : to < 0 ? 'lower' : null;
}

type Compared = Pick<Claim, 'first' | 'second' | 'within' | 'network'>;

const isOf = (claim: Claim, { first, second, within, network }: Compared): boolean =>
  claim.first === first && claim.second === second && claim.within === within && claim.network === network;

function formatOurs({ metric }: Claim, { difference, interval, pairs, p, verdict }: Found): string {
  const { unit } = pick(metrics, metric);
  const decimals = decimalsOf(interval, difference);
  const [from, to] = interval.map((end) => formatSigned(end, decimals));
  return `${formatSigned(difference, decimals)}${formatUnit(unit)} (95 % ${from!} to ${to!}, ${formatCount(pairs, 'pair')}, ${p}): ${verdict}`;
}

/** A paper that found nothing is not contradicted by pairs that cannot tell either, nor borne out. */
function outcomeOf(expects: Claim['expects'], direction: Direction): ClaimResult['outcome'] {
  if (direction === expects) return 'same';
  if (direction === null) return expects === 'no difference' ? 'not contradicted' : 'cannot tell';
  return 'different';
}
