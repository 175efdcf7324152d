import { armCount, sessionsInPair } from '../factors/arms.ts';
import type { CampaignPlan } from './plan.ts';

/** How long a campaign takes, and what of. */
export interface CampaignDuration {
  readonly sessions: number;
  readonly pairs: number;
  /** Arms of a pair: they run one after the other, in their order. */
  readonly arms: number;
  readonly sessionMs: number;
  /** Pairs at once: what was asked for, or as many as there are. */
  readonly atOnce: number;
  /** Pairs that are played again under other conditions, without A/A sessions, and as many of them at once as there can be. */
  readonly again: { readonly pairs: number; readonly arms: number; readonly atOnce: number };
  /** ⌈pairs ÷ at once⌉ × arms × one session, and the same for the pairs that are played again. */
  readonly totalMs: number;
}

/** Starting a browser, the join, stopping and writing the log: 2 to 4 s were seen on two cores; one in reserve. */
export const OVERHEAD_MS = 5000;

/** A warm browser's visit to the origin: 3 s of it are pauses, the rest is for round trips and for closed connections. */
export const VISIT_MS = 10_000;

/** What each further host adds to a visit: 2.1 s of it are pauses. */
export const HOST_VISIT_MS = 3000;

/** A campaign that takes so long is a typing error more often than a wish. */
export const WEEK_MS = 7 * 24 * 3600 * 1000;

/** What a session's visit takes besides its lead-in: over a link it is part of that. */
export const visitMs = ({ browserProfile, profiles }: CampaignPlan['campaign']): number =>
  browserProfile === 'warm' && profiles.length === 0 ? VISIT_MS : 0;

/** What a plan takes with so many pairs at once (over all machines), when every stream starts. */
export function campaignDuration(
  { campaign, networks, sessions, variants = [] }: CampaignPlan,
  workers: number,
): CampaignDuration {
  const leadInMs = networks.length > 0 ? campaign.leadInSeconds * 1000 : 0;
  const sessionMs = leadInMs + visitMs(campaign) + campaign.seconds * 1000 + OVERHEAD_MS;
  const arms = sessionsInPair(campaign);
  const pairs = sessions.length / arms;
  const atOnce = Math.min(workers, pairs);
  const pairsAgain = variants.reduce((sum, variant) => sum + variant.pairs.length, 0);
  const again = { pairs: pairsAgain, arms: armCount(campaign), atOnce: Math.min(workers, pairsAgain) };
  return {
    sessions: sessions.length,
    pairs,
    arms,
    sessionMs,
    atOnce,
    again,
    totalMs: (rounds({ pairs, atOnce }) * arms + rounds(again) * again.arms) * sessionMs,
  };
}

const rounds = ({ pairs, atOnce }: Pick<CampaignDuration, 'pairs' | 'atOnce'>): number =>
  pairs === 0 ? 0 : Math.ceil(pairs / atOnce);

const UNITS = [
  ['day', 86_400],
  ['h', 3600],
  ['min', 60],
  ['s', 1],
] as const;

/** A duration in its two largest units: `9 days 3 h`, `1 min 5 s`, `0 s`. Rounded to whole seconds. */
export function formatDuration(durationMs: number): string {
  let rest = Math.round(durationMs / 1000);
  const words: string[] = [];
  for (const [unit, seconds] of UNITS) {
    const count = Math.floor(rest / seconds);
    rest -= count * seconds;
    if (count > 0) words.push(`${count} ${unit === 'day' && count > 1 ? 'days' : unit}`);
  }
  return words.slice(0, 2).join(' ') || '0 s';
}
