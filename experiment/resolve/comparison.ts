import { faultInPlayer, faultOfRule } from './faultOfRule.ts';
import { knownBrowsers } from './knownBrowsers.ts';
import { levelFault } from './contents.ts';
import { OPTIONS, placeIn, resolve, withSessions, type Resolved } from './resolve.ts';
import { browser } from '../factors/browser.ts';
import { controller } from '../factors/controller.ts';
import type { Factor } from '../factors/factor.ts';
import { factors, type FactorLists } from '../factors/registry.ts';
import { rule } from '../factors/rule.ts';
import { steering } from '../factors/steering.ts';
import { transport } from '../factors/transport.ts';
import { faultsOfFactor, lengthFault } from '../design/campaignFaults.ts';
import type { CampaignFile } from '../design/campaignFile.ts';
import { armName, armOf, armsOf, factorsOf, valueIn } from '../factors/arms.ts';
import type { CampaignPlan, PlannedSession } from '../design/plan.ts';
import { sessionIdOf } from '../design/sessionId.ts';
import { startingFile } from '../design/startingFile.ts';
import { demoRecipe, durationSeconds } from '../../lab/content/ladder.ts';
import { usageError } from '../../node/exitCodes.ts';
import { splitWeights } from '../../src/abr/ruleText.ts';
import type { PlacedPathway } from '../../src/player/steering/pathways.ts';

/** Lists of factors; absent: as usual. Steering is between `pathways`. */
type Lists = { readonly [Field in Exclude<keyof FactorLists, 'transports'>]?: Readonly<FactorLists[Field]> };

/** What `pitwall compare` plays without a campaign file: each combination once, without emulated links. */
export interface Comparison extends Lists {
  readonly rules: readonly string[];
  readonly transports: readonly string[];
  /** Servers with the same files, beside that of `mpd`. */
  readonly pathways?: readonly PlacedPathway[];
  /** Program that serves the demo; absent: Caddy. */
  readonly origin?: 'caddy' | 'instrumented';
  /** Controllers of the instrumented origin, in the format of `sendersOf`. */
  readonly controller?: string;
  readonly browserProfile: 'cold' | 'warm';
  /** The address of a stream on another server; absent: the demo. */
  readonly mpd?: string;
  readonly preset: string;
  /** Duration of each session in s. */
  readonly seconds: number;
}

/** Makes the campaign that a comparison means: one pair. The fields of its verdicts are those of a new file. */
const campaignOf = (comparison: Comparison): CampaignFile => {
  const { origin } = comparison;
  const given: Readonly<Record<string, unknown>> = { ...comparison };
  const lists = factors.flatMap(({ field }) => (given[field] === undefined ? [] : [[field, given[field]]]));
  return {
    ...startingFile,
    ...(Object.fromEntries(lists) as Pick<CampaignFile, 'rules' | 'transports'>),
    name: 'compare',
    about: 'Sessions side by side, by the options of pitwall compare.',
    ...(origin === 'instrumented' && { origin }),
    ...(comparison.controller !== undefined && { controllers: [comparison.controller] }),
    contents: [comparison.mpd ?? 'demo'],
    repeats: 1,
    seeds: [1],
    seconds: comparison.seconds,
    browserProfile: comparison.browserProfile,
    preset: comparison.preset,
  };
};

/**
 * Makes the campaign of `pairs` pairs that a comparison means: transports are compared where there are several, else the first
 * factor that varies, over the join time. @throws Error in one sentence where nothing varies
 */
function pairedCampaign(comparison: Comparison, pairs: number): CampaignFile {
  const campaign = campaignOf(comparison);
  const varied = factorsOf(campaign).filter(({ values }) => values.length > 1);
  const compared = varied.find(({ factor }) => factor === transport) ?? varied[0];
  if (compared === undefined)
    throw usageError(
      `--pairs ${pairs}: Nothing to compare: give two values, as in --transports h2,h3-racing.`,
    );
  return {
    ...campaign,
    about: 'Sessions in pairs, by the options of pitwall compare.',
    repeats: pairs,
    compare: compared.field as CampaignFile['compare'],
  };
}

/**
 * Resolves the campaign of pairs that a comparison means. Paths are relative to the current folder. @throws Error in one
 * sentence that names the option
 */
export const resolvePairs = async (comparison: Comparison, pairs: number): Promise<Resolved> =>
  withSessions(await resolve(checked(pairedCampaign(comparison, pairs), comparison), OPTIONS));

/** Resolves the campaign that a comparison means. Paths are relative to the current folder. @throws Error in one sentence that names the option */
export async function resolveComparison(comparison: Comparison): Promise<Resolved> {
  const resolved = withSessions(await resolve(checked(campaignOf(comparison), comparison), OPTIONS));
  return { ...resolved, plan: namedByArm(resolved.plan) };
}

/** @throws Error in one sentence that names the option */
function checked(campaign: CampaignFile, comparison: Comparison): CampaignFile {
  const fault = faultOf(campaign, comparison);
  if (fault !== null) throw usageError(fault);
  return campaign;
}

/** Returns what no parser of one option sees, in one sentence; null: nothing. A stream elsewhere is looked at when it is played. */
function faultOf(campaign: CampaignFile, { rules, mpd, seconds }: Comparison): string | null {
  // Elsewhere every pathway is a server of its own: what steering asks of the lab's own origin does not hold.
  const [ofFactor] = factors
    .filter((factor) => factor !== steering)
    .flatMap((factor) =>
      faultsOfFactor(factor, campaign, { browsers: knownBrowsers, faultOfRule, faultInPlayer }),
    );
  if (ofFactor !== undefined) return ofFactor.replace(/^\/[^:]+/, (place) => placeIn(OPTIONS, place));
  if (mpd !== undefined) return null;
  const ofLevel = levelFault(rules, [{ name: 'the demo', levels: demoRecipe.video.length }]);
  if (ofLevel !== null) return `${placeIn(OPTIONS, '/rules')}: ${ofLevel}`;
  const ofLength = lengthFault('The demo', { contentSeconds: durationSeconds(demoRecipe), seconds });
  return ofLength && `--seconds ${seconds}: ${ofLength}`;
}

/** Puts the sessions in the order of the options, rules outermost, and names each by its arm alone: there is one pair. */
function namedByArm(plan: CampaignPlan): CampaignPlan {
  const arms = armsOf(plan.campaign).map(armName);
  const inOrder = plan.sessions.toSorted(
    (one, other) => arms.indexOf(one.design.arm) - arms.indexOf(other.design.arm),
  );
  const short = inOrder.map(idOf);
  const isTwice = (id: string): boolean => short.filter((each) => each === id).length > 1;
  const sessions = inOrder.map((session, place) => {
    const id = short[place]!;
    return { ...session, id: isTwice(id) ? sessionIdOf(session.design.arm) : id };
  });
  return { ...plan, sessions };
}

/** What ids have by name. The one controller of all sessions is in no id. */
const NAMED: readonly Factor[] = [rule, transport, browser, controller];

/**
 * Returns a file name and host label. Paths of weights and parameters of policies are too long for one, and two may begin alike:
 * what is not `NAMED` gives the id of a hash.
 */
function idOf({ controller: _, ...session }: PlannedSession): string {
  const arm = armOf(session);
  const isLong =
    splitWeights(session.rule).file !== null ||
    factors.some((factor) => !NAMED.includes(factor) && valueIn(factor, session) !== undefined);
  return isLong ? sessionIdOf(arm) : arm.replace(/[^\w-]+/g, '-').toLowerCase();
}
