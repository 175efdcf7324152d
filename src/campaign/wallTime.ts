import type { CampaignPlan } from './plan.ts';

/** How long a campaign takes, and what of. */
export interface WallTime {
  readonly sessions: number;
  readonly pairs: number;
  /** Arms of a pair: they run one after the other, in their order. */
  readonly arms: number;
  readonly sessionMs: number;
  /** Pairs at once: what was asked for, or as many as there are. */
  readonly atOnce: number;
  /** ⌈pairs ÷ at once⌉ × arms × one session. */
  readonly wallMs: number;
}

/** Starting a browser, the join, stopping and writing the log: 3 to 5 s where nothing else runs. */
export const OVERHEAD_MS = 5000;

/** What a plan takes with so many pairs at once (over all machines), when every stream starts. */
export function wallTime({ campaign, networks, sessions }: CampaignPlan, workers: number): WallTime {
  const leadInMs = networks.length > 0 ? campaign.leadInSeconds * 1000 : 0;
  const sessionMs = leadInMs + campaign.seconds * 1000 + OVERHEAD_MS;
  const arms = campaign.rules.length * campaign.transports.length;
  const pairs = sessions.length / arms;
  const atOnce = Math.min(workers, pairs);
  return {
    sessions: sessions.length,
    pairs,
    arms,
    sessionMs,
    atOnce,
    wallMs: Math.ceil(pairs / atOnce) * arms * sessionMs,
  };
}
