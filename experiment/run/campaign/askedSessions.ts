import type { CampaignPlan, PlannedSession } from '../../plan/plan.ts';

/** The sessions of one of a plan's blocks; all sessions where none is named. @throws Error in one sentence that names the file */
export function sessionsOfBlock(
  { campaign, sessions }: Pick<CampaignPlan, 'campaign' | 'sessions'>,
  { block, file }: { readonly block?: number; readonly file: string },
): readonly PlannedSession[] {
  if (block === undefined) return sessions;
  const { blocks } = campaign;
  if (blocks === undefined)
    throw new Error(`--block ${block}: ${file} has no blocks; add "blocks": 2 to it, before it is played.`);
  if (block > blocks) throw new Error(`--block ${block}: ${file} has ${blocks} blocks.`);
  return sessions.filter(({ design }) => design.block === block);
}
