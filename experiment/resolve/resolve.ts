import path from 'node:path';
import { known, readCampaignFile } from './campaignFiles.ts';
import { levelFault, type KnownLadder } from './levelFault.ts';
import { readNetworks, tracesLackingFor } from './networks.ts';
import { paddedRecipes } from './padded.ts';
import { findPages, refuseOtherPages, type FoundPage } from './pages/pages.ts';
import { givenWeights } from './weights.ts';
import type { CampaignFile } from '../plan/campaignFile.ts';
import { MAX_ROW_SESSIONS } from '../plan/campaignSize.ts';
import { isLive, liveContent } from '../plan/contents.ts';
import { rulesOf } from '../plan/factorsOf.ts';
import {
  PLAN_SCHEMA,
  type CampaignPlan,
  type MadeContent,
  type PlanHead,
  type PlannedWeights,
} from '../plan/plan.ts';
import { planCampaign, planFault } from '../plan/planCampaign.ts';
import { demoRecipe, liveRecipe } from '../../lab/content/ladder.ts';
import { liveFolder } from '../../lab/content/liveStream.ts';
import type { PaddedRecipe } from '../../lab/content/padded/paddedRecipe.ts';
import { paddedFolder } from '../../lab/content/padded/paddedStream.ts';
import { valueOf } from '../../src/shared/result.ts';

/** The plan of a campaign file and the traces that it names. @throws Error in one sentence that names file and place */
export async function loadCampaign(file: string): Promise<CampaignPlan> {
  return planFor(await readCampaignFile(file), file);
}

/** A plan to look at. Networks whose recorded traces are not on this machine stand still in it; the sentences say which. */
export async function loadCampaignToShow(
  file: string,
): Promise<{ readonly plan: CampaignPlan; readonly lacking: readonly string[] }> {
  const campaign = await readCampaignFile(file);
  const lacking = tracesLackingFor(campaign, file);
  const without = lacking.length > 0;
  return { plan: expandedPlan(await headFor(campaign, file, { without }), file), lacking };
}

/**
 * The same without its sessions, of which there may be as many as become rows of metrics. @throws Error in one sentence that
 * names file and place
 */
export async function loadPlanHead(file: string): Promise<PlanHead> {
  return headFor(await readCampaignFile(file, { ...known, maxSessions: MAX_ROW_SESSIONS }), file);
}

/** The plan of a campaign whose paths are relative to the folder of `file`. @throws Error in one sentence that names file and place */
export async function planFor(campaign: CampaignFile, file: string): Promise<CampaignPlan> {
  return expandedPlan(await headFor(campaign, file), file);
}

/** A plan with all of its sessions. @throws Error in one sentence that names the file */
export function expandedPlan(
  { schema: _, campaign, networks, ...made }: PlanHead,
  file: string,
): CampaignPlan {
  const plan = planCampaign(campaign, networks);
  if (!plan.ok) throw new Error(`${file}: ${plan.error}`);
  return { ...plan.value, ...made };
}

async function headFor(
  campaign: CampaignFile,
  file: string,
  { without } = { without: false },
): Promise<PlanHead> {
  const networks = await readNetworks(campaign, file, { without });
  const wrong = planFault(campaign, networks);
  if (wrong !== null) throw new Error(`${file}: ${wrong}`);
  const recipes = await paddedRecipes(campaign, file);
  const contents = campaign.contents.flatMap((name) => madeContent(name, recipes.get(name)));
  const fault = levelFault(rulesOf(campaign), laddersOf(campaign, contents));
  if (fault !== null) throw new Error(`${file}: /rules: ${fault}`);
  const weights = await weightsOf(rulesOf(campaign), file);
  const pages = await pagesOf(campaign, file);
  // Left out where there are none: a plan of an earlier version stays the same, and its campaign goes on.
  return {
    schema: PLAN_SCHEMA,
    campaign,
    networks,
    ...(contents.length > 0 && { contents }),
    ...(weights.length > 0 && { weights }),
    ...(pages.length > 0 && { pages: pages.map(({ name, sha256 }) => ({ name, sha256 })) }),
  };
}

/** The pages of a campaign. @throws Error in one sentence that names file and place */
async function pagesOf({ pages = [] }: CampaignFile, file: string): Promise<FoundPage[]> {
  return findPages(pages, path.dirname(file)).catch((error: Error) => {
    throw new Error(`${file}: /pages: ${error.message}`);
  });
}

/** The pages of a plan, as they are now. @throws Error in one sentence, also where one is not what was planned */
export async function plannedPages(
  { campaign, pages = [] }: Pick<CampaignPlan, 'campaign' | 'pages'>,
  file: string,
): Promise<FoundPage[]> {
  const found = await pagesOf(campaign, file);
  refuseOtherPages(found, pages);
  return found;
}

/** Of contents elsewhere, the ladder is known when they play. */
const laddersOf = ({ contents }: CampaignFile, made: readonly MadeContent[]): KnownLadder[] => [
  ...(contents.includes('demo') ? [{ name: 'demo', levels: demoRecipe.video.length }] : []),
  ...made.map(({ name, ladderKbps }) => ({ name, levels: ladderKbps.length })),
];

async function weightsOf(rules: readonly string[], file: string): Promise<PlannedWeights[]> {
  const given = await givenWeights(rules, path.dirname(file)).catch((error: Error) => {
    throw new Error(`${file}: /rules: ${error.message}`);
  });
  return given.map(({ text: _, ...planned }) => planned);
}

/** None for what is there already: the demo, and streams elsewhere. */
function madeContent(name: string, recipe: PaddedRecipe | undefined): MadeContent[] {
  const live = isLive(name) ? valueOf(liveContent(name)) : null;
  const kind = live && ({ live: live.isLowLatency ? 'low-latency' : 'whole-segments' } as const);
  if (recipe) return [{ ...paddedFacts(name, recipe), ...kind }];
  return kind ? [{ ...liveTestFacts(name), ...kind }] : [];
}

const paddedFacts = (name: string, recipe: PaddedRecipe): MadeContent => ({
  name,
  folder: path.basename(paddedFolder(recipe, '')),
  segments: recipe.video[0]!.sizesBytes.length,
  segmentSeconds: recipe.segmentSeconds,
  ladderKbps: recipe.video.map(({ bitrateKbps }) => bitrateKbps),
  audioKbps: recipe.audioKbps,
});

const liveTestFacts = (name: string): MadeContent => ({
  name,
  folder: path.basename(liveFolder('')),
  segments: liveRecipe.segments,
  segmentSeconds: liveRecipe.segmentSeconds,
  ladderKbps: liveRecipe.video.map(({ bitrateKbps }) => bitrateKbps),
  audioKbps: liveRecipe.audio[0]?.bitrateKbps ?? null,
});
