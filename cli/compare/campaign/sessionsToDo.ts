import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { isFinished } from '../../../src/campaign/isFinished.ts';
import type { CampaignPlan, PlannedSession } from '../../../src/campaign/plan.ts';

/** Where in its folder a campaign keeps the logs. */
export const logDirOf = (outDir: string): string => path.join(outDir, 'sessions');

/** The sessions of a plan that have no whole log in the campaign's folder, in the plan's order. */
export const sessionsToDo = (
  { sessions }: Pick<CampaignPlan, 'sessions'>,
  outDir: string,
): PlannedSession[] =>
  sessions.filter((session) => {
    const file = path.join(logDirOf(outDir), `${session.id}.json`);
    return !isFinished(session, existsSync(file) ? readFileSync(file, 'utf8') : null);
  });
