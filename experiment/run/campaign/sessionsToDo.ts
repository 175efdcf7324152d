import { readOwnLog } from './readOwnLog.ts';
import type { CampaignPlan, PlannedSession } from '../../plan/plan.ts';

/** The sessions of a plan that have no whole log in the campaign's folder, in the plan's order. */
export const sessionsToDo = (
  { sessions }: Pick<CampaignPlan, 'sessions'>,
  outDir: string,
): PlannedSession[] => sessions.filter((session) => readOwnLog(outDir, session) === null);
