import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { makeFolder } from '../../makeFolder.ts';
import { writeAtomically } from '../../writeAtomically.ts';
import type { CampaignPlan } from '../../../src/campaign/plan.ts';

/**
 * Writes the plan into the folder of a campaign, or finds it there from before: every shard and every later run must mean
 * the same sessions. @throws Error in one sentence when the folder has another plan
 */
export function keepPlan(outDir: string, plan: CampaignPlan): void {
  const file = path.join(outDir, 'plan.json');
  const text = `${JSON.stringify(plan, null, 1)}\n`;
  if (!existsSync(file)) {
    makeFolder(outDir);
    writeAtomically(file, text);
  } else if (readFileSync(file, 'utf8') !== text)
    throw new Error(
      `${file}: This is the plan of another campaign, or of an earlier version of this one. Name another folder with --out.`,
    );
}
