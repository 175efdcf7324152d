import { labPlan } from './instrumentedPlan.ts';
import { refuseForLab } from './refusals.ts';
import type { LabFile } from './runOptions.ts';
import { resolveFile, resolveToShow, type Resolved } from '../resolve/resolve.ts';

/** Resolves a campaign that the lab plays. @throws Error in one sentence about one that it never plays */
export async function resolveForLab(given: LabFile): Promise<Resolved> {
  const resolved = await resolveFile(given.file);
  refuseForLab(resolved.plan.campaign, given);
  return { ...resolved, plan: labPlan(resolved.plan) };
}

/** Resolves the plan of such a campaign to look at, and says which traces are missing: none is needed for that. */
export async function planToShow(given: LabFile): ReturnType<typeof resolveToShow> {
  const { plan, lacking } = await resolveToShow(given.file);
  refuseForLab(plan.campaign, given);
  return { plan: labPlan(plan), lacking };
}
