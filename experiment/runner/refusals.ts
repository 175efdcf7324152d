import { linkMissing } from '../../lab/link/linkMissing.ts';
import { controllerMissing, instrumentedMissing } from '../../lab/origin/instrumentedMissing.ts';
import { pairsAtOnce, type LabFile, type RunOptions } from './runOptions.ts';
import { campaignDuration, formatDuration, WEEK_MS } from '../design/campaignDuration.ts';
import type { CampaignFile } from '../design/campaignFile.ts';
import type { CampaignPlan } from '../design/plan.ts';
import { besideOf } from '../factors/besideOf.ts';
import { sendersOf, USUAL_SENDERS } from '../factors/sendersOf.ts';
import { isOfTransfers } from '../design/transferFile.ts';
import { MPD_ADDRESS } from '../design/contents.ts';
import { labPlan } from './instrumentedPlan.ts';
import { resolveFile, resolveToShow, type Resolved } from '../resolve/resolve.ts';

/** @throws Error in one sentence where this machine cannot serve a campaign as its file says */
export function refuseOrigin(
  {
    origin,
    controllers,
    profiles,
    beside,
  }: Pick<CampaignFile, 'origin' | 'controllers' | 'profiles' | 'beside'>,
  file: string,
  missingHere = { program: instrumentedMissing, controller: controllerMissing },
): void {
  if (origin !== 'instrumented') return;
  const missing = missingHere.program();
  if (missing !== null)
    throw new Error(
      `${file}: /origin: ${missing}. On this machine use "origin": "caddy" without controllers.`,
    );
  const controllerFault = (tcp: string): string | null =>
    profiles.length > 0 ? missingHere.controller(tcp, { isRoot: true }) : missingHere.controller(tcp);
  const usual = controllerFault(USUAL_SENDERS.tcp);
  if (!controllers && usual !== null) throw new Error(`${file}: /origin: ${usual}.`);
  refuseFlows(beside, file, controllerFault);
  for (const [index, text] of (controllers ?? []).entries()) {
    const senders = sendersOf(text);
    const fault = senders.ok ? controllerFault(senders.value.tcp) : null;
    if (fault !== null) throw new Error(`${file}: /controllers/${index}: ${fault}.`);
  }
}

function refuseFlows(
  beside: readonly string[] | undefined,
  file: string,
  missing: (name: string) => string | null,
): void {
  for (const [index, text] of (beside ?? []).entries()) {
    const fault = controllerOfFlowsMissing(text, missing);
    if (fault !== null) throw new Error(`${file}: /beside/${index}: ${fault}.`);
  }
}

/** Says what this machine lacks for the first controller of TCP flows that it cannot use; null where it can use all. */
function controllerOfFlowsMissing(text: string, missing: (name: string) => string | null): string | null {
  const groups = besideOf(text);
  const faults = (groups.ok ? groups.value : []).flatMap((group) =>
    group.kind === 'flows' && group.transport === 'tcp' ? (missing(group.family) ?? []) : [],
  );
  return faults[0] ?? null;
}

/**
 * Refuses streams elsewhere over links: there a session's origin is the lab's own, which serves nobody else's stream. The
 * simulator needs no origin: there such a stream plays over profiles. @throws Error in one sentence that names file and place
 */
export function refuseFarStreams(
  { contents, profiles }: Pick<CampaignFile, 'contents' | 'profiles'>,
  file: string,
): void {
  const far = contents.findIndex((content) => MPD_ADDRESS.test(content));
  if (profiles.length > 0 && far >= 0)
    throw new Error(
      `${file}: /contents/${far}: The address of an MPD needs "profiles": []. Over emulated links use padded:PATH.mpd, or --simulate.`,
    );
}

/** @throws Error in one sentence where a command is given the file of the other one */
export function refuseOtherKind(
  campaign: Pick<CampaignFile, 'transfers'>,
  { file, downloads = false }: { readonly file: string; readonly downloads?: boolean | undefined },
): void {
  if (isOfTransfers(campaign) === downloads) return;
  throw new Error(
    downloads
      ? `${file}: This is a campaign that plays streams: use pitwall compare ${file}.`
      : `${file}: This is a file of transfers, without a player: use pitwall transfer ${file}.`,
  );
}

/**
 * Refuses a campaign of streams elsewhere over links, or that another command plays. @throws Error in one sentence that names
 * the file
 */
function refuseForLab(campaign: CampaignFile, given: LabFile): void {
  refuseOtherKind(campaign, given);
  refuseFarStreams(campaign, given.file);
}

/** Refuses a campaign that this machine cannot play, or that takes too long. @throws Error in one sentence that names the file */
export function refuseToBegin(
  plan: CampaignPlan,
  options: LabFile &
    Pick<RunOptions, 'workers' | 'shard'> & { readonly pair?: string; readonly long?: boolean },
): void {
  const { long, file, pair } = options;
  const missing = plan.networks.length > 0 ? linkMissing() : null;
  if (missing !== null)
    throw new Error(
      `${file}: /profiles: ${missing}. On this machine use "profiles": [], which plays without an emulated link.`,
    );
  refuseOrigin(plan.campaign, file);
  const { totalMs } = campaignDuration(plan, pairsAtOnce(options));
  // Whoever plays one pair at a time counts the time of the campaign.
  if (totalMs >= WEEK_MS && !long && pair === undefined)
    throw new Error(
      `${file}: The campaign would take ${formatDuration(totalMs)}. Make it smaller, split it (--shard, --workers), or use --long.`,
    );
}

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
