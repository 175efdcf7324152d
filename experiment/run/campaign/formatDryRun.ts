import { formatContent } from './formatContent.ts';
import { metrics } from '../../../src/analysis/metrics/registry.ts';
import { formatDuration } from '../../plan/formatDuration.ts';
import type { CampaignPlan } from '../../plan/plan.ts';
import { verdictReach } from '../../verdict/verdictReach.ts';
import { OVERHEAD_MS, visitMs, campaignDuration, WEEK_MS } from '../../plan/campaignDuration.ts';
import { pick } from '../../../src/shared/registry.ts';
import { formatCount } from '../../../src/shared/format.ts';

/** What a campaign is going to do, how long that takes, and whether a verdict can come of it. */
export const formatDryRun = (plan: CampaignPlan, workers: number): string =>
  [
    formatSize(plan),
    formatTime(plan, workers),
    ...formatContent(plan),
    formatOrder(plan),
    formatReach(plan),
  ].join('\n');

function formatSize({ campaign, sessions }: CampaignPlan): string {
  const { name, rules, transports, controllers, profiles, contents, repeats, seeds } = campaign;
  const factors = [
    counted(rules, 'rule'),
    counted(transports, 'transport'),
    ...(controllers ? [counted(controllers, 'controller')] : []),
    profiles.length > 0 ? counted(profiles, 'profile') : 'no emulated link',
    counted(contents, 'content'),
    formatCount(repeats, 'repeat'),
    counted(seeds, 'seed'),
  ];
  return `${name}: ${factors.join(' × ')} = ${formatCount(sessions.length, 'session')}`;
}

function formatTime(plan: CampaignPlan, workers: number): string {
  const { pairs, arms, sessionMs, atOnce, totalMs } = campaignDuration(plan, workers);
  const { seconds, leadInSeconds } = plan.campaign;
  const long = totalMs >= WEEK_MS ? '; a week or more, which needs --long' : '';
  const leadIn = plan.networks.length > 0 ? `${leadInSeconds} s lead-in + ` : '';
  const visit = visitMs(plan.campaign) > 0 ? `${visitMs(plan.campaign) / 1000} s visit + ` : '';
  return `${formatDuration(totalMs)} with ${formatCount(atOnce, 'pair')} at once: ⌈${pairs} ÷ ${atOnce}⌉ × ${formatCount(arms, 'arm')} × ${sessionMs / 1000} s (${leadIn}${visit}${seconds} s + ${OVERHEAD_MS / 1000} s to start and end)${long}`;
}

function formatOrder({ sessions }: CampaignPlan): string {
  const pair = sessions[0]?.design.pair;
  const arms = sessions.filter(({ design }) => design.pair === pair).map(({ design }) => design.arm);
  return `first pair, ${pair}: ${arms.join(', ')}`;
}

/** A design that cannot reach significance gets no verdict, whatever its sessions show. */
export function formatReach({ campaign }: Pick<CampaignPlan, 'campaign'>): string {
  const { label, unit, better } = pick(metrics, campaign.primary);
  const { comparisons, pairs, pairsNeeded, smallestP, isWithinReach } = verdictReach(campaign);
  const judged = `${label}, ${better} is better, margin ${campaign.margin}${unit ? ` ${unit}` : ''}`;
  const design = `${formatCount(comparisons, 'comparison')} of ${formatCount(pairs, 'pair')} each: the smallest p after Holm is ${comparisons} × 2^(1−${pairs}) = ${Number(smallestP.toPrecision(2))}`;
  return isWithinReach
    ? `verdict on ${judged}: possible. ${design}, below alpha ${campaign.alpha}`
    : `no verdict on ${judged}: ${design}, not below alpha ${campaign.alpha}; at least ${formatCount(pairsNeeded, 'pair')} are needed`;
}

const counted = (list: readonly unknown[], what: string): string => formatCount(list.length, what);
