import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { makeFolder, writeAtomically } from '../../../node/files.ts';
import type { CampaignPlan } from '../../plan/plan.ts';
import { upgradePlan } from '../../plan/readCampaign.ts';

/**
 * Writes the plan into the folder of a campaign, or finds it there from before: every shard and every later run must mean
 * the same sessions. @throws Error in one sentence when the folder has another plan
 */
export function keepPlan(outDir: string, plan: CampaignPlan): void {
  const file = path.join(outDir, 'plan.json');
  const text = formatPlan(plan);
  if (!existsSync(file)) {
    makeFolder(outDir);
    writeAtomically(file, text);
  } else if (planIn(readFileSync(file, 'utf8')) !== text)
    throw new Error(
      `${file}: This is the plan of another campaign, or of an earlier version of this one. Name another folder with --out.`,
    );
}

const formatPlan = (plan: unknown): string => `${JSON.stringify(plan, null, 1)}\n`;

/** The plan of a folder as this version would write it: a folder that an older version began goes on. */
function planIn(text: string): string {
  try {
    return formatPlan(upgradePlan(JSON.parse(text)));
  } catch {
    return text;
  }
}
