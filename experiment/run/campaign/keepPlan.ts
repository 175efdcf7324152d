import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { makeFolder, writeAtomically } from '../../../node/files.ts';
import type { CampaignPlan } from '../../plan/plan.ts';
import { upgradePlan } from '../../plan/readCampaign.ts';
import { isRowPlan } from '../../plan/rowPlan.ts';

/**
 * Writes the plan into the folder of a campaign, or finds it there from before: every shard and every later run must mean
 * the same sessions. Returns the plan that the folder goes on with. @throws Error in one sentence, as `planOfFolder`
 */
export function keepPlan(outDir: string, plan: CampaignPlan): CampaignPlan {
  const file = path.join(outDir, 'plan.json');
  if (existsSync(file)) return planOfFolder(outDir, plan);
  makeFolder(outDir);
  writeAtomically(file, formatPlan(plan));
  return plan;
}

/**
 * The plan that a folder goes on with; `plan` where it has none yet. @throws Error in one sentence when the folder has another
 * plan: neither its sessions nor its verdicts would be those of `plan`
 */
export function planOfFolder(outDir: string, plan: CampaignPlan): CampaignPlan {
  const file = path.join(outDir, 'plan.json');
  if (!existsSync(file)) return plan;
  const before = readFileSync(file, 'utf8');
  if (isRowPlan(before))
    throw new Error(
      `${outDir}: This folder has rows of metrics, and session logs need a folder of their own: name another one with --out.`,
    );
  const continued = continuedPlan(outDir, plan);
  if (planIn(before) === formatPlan(continued)) return continued;
  throw new Error(
    `${file}: This is the plan of another campaign, or of an earlier version of this one. Name another folder with --out. pitwall report ${outDir} shows this one by its own plan.`,
  );
}

/**
 * The plan with the TLS records that its folder began with, where the campaign file leaves them open: their default has
 * changed, and a folder with both would compare them.
 */
export function continuedPlan(outDir: string, plan: CampaignPlan): CampaignPlan {
  const file = path.join(outDir, 'plan.json');
  if (plan.campaign.tlsRecords !== undefined || !existsSync(file)) return plan;
  const before = tlsRecordsIn(readFileSync(file, 'utf8'));
  return before === undefined ? withoutRecords(plan) : { ...plan, tlsRecords: before };
}

const withoutRecords = ({ tlsRecords: _, ...plan }: CampaignPlan): CampaignPlan => plan;

function tlsRecordsIn(text: string): CampaignPlan['tlsRecords'] {
  try {
    return (JSON.parse(text) as Partial<CampaignPlan>).tlsRecords;
  } catch {
    return undefined;
  }
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
