import type { CampaignPlan } from '../../../../experiment/plan/plan.ts';

/** The least round-trip time of each network without queueing, ms: what its sessions' minimum cannot be below. */
export const networkRtts = ({ networks }: Pick<CampaignPlan, 'networks'>): ReadonlyMap<string, number> =>
  new Map(
    networks.map(({ name, profile }) => [
      name,
      profile.steps.reduce((min, { rttMs }) => Math.min(min, rttMs), Infinity),
    ]),
  );
