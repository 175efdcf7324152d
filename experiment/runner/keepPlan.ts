import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { formatFileError, makeFolder, writeAtomically } from '../../node/files.ts';
import { profileIndex } from '../design/networks.ts';
import type { CampaignPlan } from '../design/plan.ts';
import { isObject } from '../../src/shared/jsonObject.ts';
import { isRowPlan } from '../design/rowPlan.ts';

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
  const begun = planIn(before);
  if (formatPlan(begun) === formatPlan(continued)) return continued;
  const changed = changedInput(begun, continued);
  const sentence =
    changed === null
      ? 'This is the plan of another campaign, or of an earlier version of this one.'
      : `${changed} has changed since this folder was begun, and sessions of two versions are not compared.`;
  throw new Error(
    `${file}: ${sentence} Name another folder with --out. pitwall report ${outDir} shows this one by its own plan.`,
  );
}

/** Reads the plan of a folder that this version has begun or continued. @throws Error in one sentence where it is gone or cut off */
export function readPlan(outDir: string): CampaignPlan {
  const file = path.join(outDir, 'plan.json');
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as CampaignPlan;
  } catch (error) {
    throw new Error(
      error instanceof SyntaxError
        ? `${file}: The plan is not valid JSON, or it is cut off.`
        : formatFileError(file, error),
      { cause: error },
    );
  }
}

/** How each kind of input is named, by its place in the plan. */
const INPUTS = {
  networks: networkName,
  contents: ({ contents }, place) => contents![place]!.name,
  weights: ({ weights }, place) => weights![place]!.file ?? weights![place]!.rule,
  pages({ campaign, pages }, place) {
    const { name } = pages![place]!;
    return `The page ${name} (${campaign.pages?.find((page) => page.name === name)?.page})`;
  },
} satisfies Partial<Record<keyof CampaignPlan, (plan: CampaignPlan, place: number) => string>>;

/** Names the first input that was another one when a folder was begun; null where its campaign was another one. */
function changedInput(begun: Partial<CampaignPlan> | null, now: CampaignPlan): string | null {
  if (begun === null || isOther(begun.campaign, now.campaign)) return null;
  for (const kind of ['networks', 'contents', 'weights', 'pages'] as const) {
    const place = (now[kind] ?? []).findIndex((each, at) => isOther(each, begun[kind]?.[at]));
    if (place >= 0) return INPUTS[kind](now, place);
  }
  return null;
}

const isOther = (one: unknown, other: unknown): boolean => JSON.stringify(one) !== JSON.stringify(other);

/** A network as the campaign file names it; a drawn one with the paths that it is drawn over. */
function networkName({ campaign, networks }: CampaignPlan, place: number): string {
  const entry = campaign.profiles[profileIndex(campaign, place)]!;
  if (typeof entry === 'string') return entry;
  const over = entry.paths === undefined ? '' : ` over ${entry.paths.join(', ')}`;
  return `The network ${networks[place]!.name}${over}`;
}

/**
 * The plan with the TLS records that its folder began with, where the campaign file leaves them open: their default has
 * changed, and a folder with both would compare them.
 */
function continuedPlan(outDir: string, plan: CampaignPlan): CampaignPlan {
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

/** The plan of a folder; null where the file is none. */
function planIn(text: string): Partial<CampaignPlan> | null {
  try {
    const plan: unknown = JSON.parse(text);
    return isObject(plan) ? plan : null;
  } catch {
    return null;
  }
}
