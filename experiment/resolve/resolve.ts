import path from 'node:path';
import { known, readCampaignFile } from './campaignFiles.ts';
import { levelFault, readContents, type ReadContents } from './contents.ts';
import { readNetworks, standIns, tracesLackingFor } from './networks.ts';
import { findPages, type FoundPage } from './pages/pages.ts';
import { givenWeights, namedFiles, type GivenWeights } from './weights.ts';
import type { CampaignFile } from '../design/campaignFile.ts';
import { MAX_ROW_SESSIONS } from '../design/campaignFaults.ts';
import { rulesIn, rulesOf } from '../factors/rule.ts';
import { PLAN_SCHEMA, type CampaignPlan, type Network, type PlanHead } from '../design/plan.ts';
import { planCampaign, planFault } from '../design/planCampaign.ts';
import type { PaddedRecipe } from '../../lab/content/padded/paddedRecipe.ts';
import { readerOnce, type ReadFile } from '../../node/files.ts';

/**
 * A campaign whose every input was read once. Its plan has the networks whole, and hashes of the rest, computed from the very
 * content that is here: whoever plays, simulates or judges takes this and opens no input again. Only the files of a built page
 * are not in memory: its copy is compared with its hash.
 */
export interface Resolved<Plan extends PlanHead = CampaignPlan> {
  /** The campaign's file, as sentences name it. */
  readonly file: string;
  readonly plan: Plan;
  /** What padded streams are made of, by the content's name. */
  readonly recipes: ReadonlyMap<string, PaddedRecipe>;
  readonly weights: readonly GivenWeights[];
  readonly pages: readonly FoundPage[];
}

/** Stands for the file of a campaign that the options of a command describe. */
export const OPTIONS = 'the options';

/** Names a place of a campaign in a sentence: in its file, or the option that says the same. */
export const placeIn = (file: string, place: string): string =>
  file === OPTIONS ? `--${OPTION_OF[place.split('/')[1]!] ?? place.split('/')[1]!}` : `${file}: ${place}`;

const OPTION_OF: Readonly<Record<string, string>> = { contents: 'mpd', controllers: 'controller' };

interface Resolving {
  /** Reads the files of the campaign; absent: a reader that reads each once. */
  readonly read?: ReadFile;
  /** The campaign's pages, where they were found before. */
  readonly pages?: readonly FoundPage[];
  /** Networks in place of recorded traces; absent: each trace has to be on this machine. */
  readonly standIns?: ReadonlyMap<string, Network>;
}

/** Reads a campaign file and all that it names. @throws Error in one sentence that names file and place */
export async function resolveFile(file: string): Promise<Resolved> {
  return withSessions(await resolve(await readCampaignFile(file), file));
}

/** Resolves a campaign to look at. Networks whose traces are not on this machine stand still in it; the sentences say which. */
export async function resolveToShow(
  file: string,
): Promise<{ readonly plan: CampaignPlan; readonly lacking: readonly string[] }> {
  const campaign = await readCampaignFile(file);
  const { plan } = withSessions(await resolve(campaign, file, { standIns: standIns(campaign, file) }));
  return { plan, lacking: tracesLackingFor(campaign, file) };
}

/**
 * Resolves a campaign file without its sessions, of which there may be as many as become rows of metrics. @throws Error in one
 * sentence that names file and place
 */
export async function resolveHead(file: string): Promise<Resolved<PlanHead>> {
  return resolve(await readCampaignFile(file, { ...known, maxSessions: MAX_ROW_SESSIONS }), file);
}

/**
 * Reads all that a campaign names, each file once. Paths are relative to the folder of `file`.
 *
 * @throws Error in one sentence that names file and place
 */
export async function resolve(
  campaign: CampaignFile,
  file: string,
  { read = readerOnce(), pages: found, standIns: instead = new Map() }: Resolving = {},
): Promise<Resolved<PlanHead>> {
  const networks = await readNetworks(campaign, file, { read, standIns: instead });
  const wrong = planFault(campaign, networks);
  if (wrong !== null) throw new Error(`${file}: ${wrong}`);
  const { recipes, made, ladders } = await readContents(campaign, file, read);
  const folder = path.dirname(file);
  const files = await placed(placeIn(file, '/rules'), namedFiles(rulesOf(campaign), folder, read));
  const rules = rulesOf(campaign);
  const fault = levelFault(rules, ladders);
  if (fault !== null) throw new Error(`${placeIn(file, '/rules')}: ${fault}`);
  const ofRules = await placed(placeIn(file, '/rules'), givenWeights(rules, folder, read));
  const weights = [...ofRules, ...files.map(({ asked: _, ...given }) => given)];
  const pages = found ?? (await placed(placeIn(file, '/pages'), findPages(campaign.pages ?? [], folder)));
  mustBePlayed(pages, campaign, file);
  const called = calledByIds(campaign, files);
  const plan = headOf({ schema: PLAN_SCHEMA, campaign: called, networks }, { made, weights, pages });
  return { file, plan, recipes, weights, pages };
}

/** A page that is a build of a player differs from others only where that player plays. @throws Error in one sentence */
function mustBePlayed(
  pages: readonly FoundPage[],
  { players = ['dashjs'] }: CampaignFile,
  file: string,
): void {
  for (const { name, source } of pages) {
    if (source.kind !== 'player') continue;
    const { id, label } = source.build.library;
    if (players.every((player) => player === id)) continue;
    throw new Error(
      `${placeIn(file, '/pages')}: ${name} is a build of ${label}, and other players play: write "players": ["${id}"].`,
    );
  }
}

/** Calls rules of files by their ids, wherever a campaign names one. */
function calledByIds(campaign: CampaignFile, files: Awaited<ReturnType<typeof namedFiles>>): CampaignFile {
  if (files.length === 0) return campaign;
  const nameOf = (text: string): string => files.find(({ asked }) => asked === text)?.rule ?? text;
  const rules = campaign.rules.map((entry) => rulesIn(entry).map(nameOf).join('|'));
  const { control } = campaign;
  return { ...campaign, rules, ...(control !== undefined && { control: nameOf(control) }) };
}

/** Adds what a plan leaves out where there is none: that of an earlier version stays the same, and its campaign goes on. */
const headOf = (
  plan: Pick<PlanHead, 'schema' | 'campaign' | 'networks'>,
  { made, weights, pages }: Pick<Resolved, 'weights' | 'pages'> & Pick<ReadContents, 'made'>,
): PlanHead => ({
  ...plan,
  ...(made.length > 0 && { contents: made }),
  ...(weights.length > 0 && { weights: weights.map(({ text: _, own: __, ...planned }) => planned) }),
  ...(pages.length > 0 && { pages: pages.map(({ name, sha256 }) => ({ name, sha256 })) }),
});

/** Puts a place before the sentence of an error. */
const placed = <Value>(place: string, value: Promise<Value>): Promise<Value> =>
  value.catch((error: Error) => {
    throw new Error(`${place}: ${error.message}`);
  });

/**
 * Makes the sessions of a campaign. `campaign` may have other repeats than the one that was resolved, and nothing else.
 *
 * @throws Error in one sentence that names the file
 */
export const withSessions = (
  { plan, ...inputs }: Resolved<PlanHead>,
  campaign = plan.campaign,
): Resolved => ({ ...inputs, plan: expandedPlan({ ...plan, campaign }, inputs.file) });

/** A plan with all of its sessions. @throws Error in one sentence that names the file */
export function expandedPlan(
  { schema: _, campaign, networks, ...made }: PlanHead,
  file: string,
): CampaignPlan {
  const plan = planCampaign(campaign, networks);
  if (!plan.ok) throw new Error(`${file}: ${plan.error}`);
  return { ...plan.value, ...made };
}
