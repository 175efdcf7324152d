import type { CampaignPlan } from '../../plan/plan.ts';
import { verdictReach } from '../../verdict/verdictReach.ts';

/**
 * How many pairs of a plan can differ in the simulator, where that is fewer than there are: the model has no luck, so what
 * meets the same moment of the same network again is played the same again. null where all can.
 */
export function formatCopies({ campaign, sessions }: CampaignPlan): string | null {
  const pairs = new Set(sessions.map(({ design }) => design.pair)).size;
  // Rules with random draws draw from the seed.
  const met = sessions.map(({ link, content, design }) =>
    JSON.stringify([link?.network, link?.phaseMs, content, design.seed]),
  );
  const different = new Set(met).size;
  if (different === pairs) return null;
  const { pairsNeeded, comparisons } = verdictReach(campaign);
  const tests = comparisons === 1 ? 'a verdict needs' : 'verdicts need';
  return `simulated: at most ${different} of ${pairs} pairs can differ, the others are copies that do not count; ${tests} ${pairsNeeded} (with phase "drawn" more pairs differ)`;
}
