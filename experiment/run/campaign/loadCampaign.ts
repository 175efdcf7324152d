import path from 'node:path';
import { paddedRecipes } from './padded.ts';
import { demoRecipe, durationSeconds, liveRecipe } from '../../../lab/content/ladder.ts';
import { liveFolder } from '../../../lab/content/liveStream.ts';
import { paddedFolder } from '../../../lab/content/padded/paddedStream.ts';
import type { PaddedRecipe } from '../../../lab/content/padded/paddedRecipe.ts';
import { faultOfPreset } from '../../../src/player/presets.ts';
import type { Known } from '../../plan/campaignFaults.ts';
import { MAX_ROW_SESSIONS } from '../../plan/campaignSize.ts';
import { drawNetworks, networkName, refuseLimitedPath } from '../../plan/drawnNetworks.ts';
import { TRACE } from '../../../src/network/traceSets/traceSets.ts';
import { profilePath } from '../../plan/profileFile.ts';
import { isLive, liveContent } from '../../plan/contents.ts';
import {
  PLAN_SCHEMA,
  type CampaignPlan,
  type MadeContent,
  type Network,
  type PlanHead,
  type PlannedWeights,
} from '../../plan/plan.ts';
import { rulesOf } from '../../plan/factorsOf.ts';
import { planCampaign, planFault } from '../../plan/planCampaign.ts';
import { readCampaign } from '../../plan/readCampaign.ts';
import { profileOfTrace } from '../../../src/network/convertProfile.ts';
import { networkProfiles } from '../../../src/network/profiles/registry.ts';
import { pick } from '../../../src/shared/registry.ts';
import { noteOldCount } from '../../../node/rules.ts';
import { profileFromFile } from '../../simulate/profileFiles.ts';
import { traceFiles } from '../../simulate/traceFiles.ts';
import { filesOfTrace, lackingTraces } from '../../simulate/traceStore.ts';
import { faultOfRule } from '../faultOfRule.ts';
import { knownBrowsers } from '../knownBrowsers.ts';
import { levelFault, type KnownLadder } from '../levelFault.ts';
import { findPages, refuseOtherPages, type FoundPage } from '../pages/pages.ts';
import { givenWeights } from '../weights.ts';
import { readText, writeAtomically } from '../../../node/files.ts';
import { valueOf } from '../../../src/shared/result.ts';
import type { InstrumentedPlan } from '../play/plan.ts';
import type { CampaignFile, TlsRecords } from '../../plan/campaignFile.ts';
import { existsSync } from 'node:fs';
import { startingFile } from '../../plan/startingFile.ts';

/** Writes a campaign to begin with. @throws Error in one sentence when the file is there already, or cannot be written */
export function writeStartingFile(file: string): void {
  if (existsSync(file)) throw new Error(`${file}: The file exists. Name another file, or remove it.`);
  writeAtomically(file, `${JSON.stringify(startingFile, null, 2)}\n`);
}

type OriginFields = Pick<CampaignFile, 'origin' | 'initialWindowPackets' | 'tcpPacing' | 'zeroRtt'>;

const TLS_RECORDS = 'dynamic';

/** As most servers begin (RFC 6928, RFC 9002 §7.2). */
const INITIAL_WINDOW_PACKETS = 10;

/** The start options of a campaign's instrumented origin; undefined for Caddy. */
export const instrumentedPlan = (
  campaign: OriginFields,
  tlsRecords: TlsRecords = TLS_RECORDS,
): InstrumentedPlan | undefined =>
  campaign.origin === 'instrumented'
    ? {
        initialWindowPackets: campaign.initialWindowPackets ?? INITIAL_WINDOW_PACKETS,
        tcpPacing: campaign.tcpPacing ?? true,
        tlsRecords,
        zeroRtt: campaign.zeroRtt ?? false,
      }
    : undefined;

/** A plan for the lab names what its origin does by default: a later default must not continue it. */
export const labPlan = <Plan extends PlanHead>(plan: Plan): Plan =>
  plan.campaign.origin === 'instrumented'
    ? { ...plan, tlsRecords: plan.campaign.tlsRecords ?? TLS_RECORDS }
    : plan;

/** The same of a plan. Before plans named their TLS records, these had 16 KiB. */
export const instrumentedOf = ({ campaign, tlsRecords }: PlannedOrigin): InstrumentedPlan | undefined =>
  instrumentedPlan(campaign, tlsRecords ?? '16k');

export type PlannedOrigin = Pick<CampaignPlan, 'campaign' | 'tlsRecords'>;

/** The plan of a campaign file and the traces that it names. @throws Error in one sentence that names file and place */
export async function loadCampaign(file: string): Promise<CampaignPlan> {
  return planFor(await readOf(file), file);
}

/** A plan to look at. Networks whose recorded traces are not on this machine stand still in it; the sentences say which. */
export async function loadCampaignToShow(
  file: string,
): Promise<{ readonly plan: CampaignPlan; readonly lacking: readonly string[] }> {
  const campaign = await readOf(file);
  const lacking = tracesLackingFor(campaign, file);
  const without = lacking.length > 0;
  return { plan: expandedPlan(await headFor(campaign, file, { without }), file), lacking };
}

/** Which recorded traces of a campaign are not on this machine, in sentences. */
export function tracesLackingFor({ profiles }: Pick<CampaignFile, 'profiles'>, file: string): string[] {
  const entries = profiles.flatMap((entry) => (typeof entry === 'string' ? entry : (entry.paths ?? [])));
  return lackingTraces(
    entries.filter((entry) => entry.startsWith(TRACE)),
    path.dirname(file),
  );
}

/**
 * The same without its sessions, of which there may be as many as become rows of metrics. @throws Error in one sentence that
 * names file and place
 */
export async function loadPlanHead(file: string): Promise<PlanHead> {
  return headFor(await readOf(file, { ...known, maxSessions: MAX_ROW_SESSIONS }), file);
}

async function readOf(file: string, may: Known = known): Promise<CampaignFile> {
  const campaign = valueOf(readCampaign(await readText(file), { name: file, known: may }));
  noteOldCount(rulesOf(campaign));
  return campaign;
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

/** How traces are found: below a folder, or, where they are not there, without them. */
interface Lookup {
  readonly folder: string;
  readonly without: boolean;
}

async function headFor(
  campaign: CampaignFile,
  file: string,
  { without } = { without: false },
): Promise<PlanHead> {
  const networks: Network[] = [];
  for (const [index, profile] of campaign.profiles.entries())
    networks.push(
      ...(await networksFor(profile, campaign, { folder: path.dirname(file), without }).catch(
        (error: Error) => {
          throw new Error(`${file}: /profiles/${index}: ${error.message}`);
        },
      )),
    );
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

/** The networks of one entry of a campaign's profiles. */
async function networksFor(
  given: CampaignFile['profiles'][number],
  { seeds }: CampaignFile,
  lookup: Lookup,
): Promise<Network[]> {
  if (typeof given === 'string') return [await networkFor(given, lookup)];
  const paths = new Map<string, Network>();
  for (const each of given.paths ?? []) {
    const network = await networkFor(each, lookup);
    refuseLimitedPath(each, network.profile);
    paths.set(each, network);
  }
  const isAnyFromFile = [...paths.values()].some(({ isFromFile }) => isFromFile);
  return drawNetworks(given, seeds, (name) => paths.get(name)!.profile).map((network) =>
    isAnyFromFile ? { ...network, isFromFile: true } : network,
  );
}

/** A profile of the registry or of a file, or a recorded trace. */
async function networkFor(given: string, { folder, without }: Lookup): Promise<Network> {
  const file = profilePath(given);
  if (file !== null) {
    const profile = await profileFromFile(path.resolve(folder, file));
    return { name: profile.id, profile, isFromFile: true };
  }
  if (!given.startsWith(TRACE)) return { name: given, profile: pick(networkProfiles, given) };
  if (without && lackingTraces([given], folder).length > 0)
    return { name: networkName(given), profile: pick(networkProfiles, 'constant-10mbps') };
  const { traces } = await traceFiles(filesOfTrace(given, folder), null);
  const [trace, ...others] = traces;
  if (!trace || others.length > 0) throw new Error(`${given}: It is a folder; name one trace file.`);
  const profile = profileOfTrace(trace);
  return { name: profile.id, profile };
}

/** What a campaign may name here. */
export const known: Known = {
  faultOfPreset,
  contents: [{ id: 'demo', seconds: durationSeconds(demoRecipe) }],
  browsers: knownBrowsers,
  faultOfRule,
};
