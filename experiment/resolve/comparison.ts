import { faultOfRule } from './faultOfRule.ts';
import { knownBrowsers } from './knownBrowsers.ts';
import { levelFault } from './levelFault.ts';
import { OPTIONS, placeIn, resolve, withSessions, type Resolved } from './resolve.ts';
import { browser } from '../factors/browser.ts';
import { faultsOfFactor, lengthFault } from '../design/campaignFaults.ts';
import type { CampaignFile } from '../design/campaignFile.ts';
import { armName, armOf, armsOf } from '../factors/arms.ts';
import type { CampaignPlan, PlannedSession } from '../design/plan.ts';
import { sessionIdOf } from '../design/planCampaign.ts';
import { startingFile } from '../design/startingFile.ts';
import { demoRecipe, durationSeconds } from '../../lab/content/ladder.ts';
import { usageError } from '../../node/exitCodes.ts';
import { splitWeights } from '../../src/abr/ruleText.ts';
import type { PlacedPathway } from '../../src/player/steering/pathways.ts';

/** What `pitwall compare` plays without a campaign file: each combination once, without emulated links. */
export interface Comparison {
  readonly rules: readonly string[];
  readonly transports: readonly string[];
  /** Ids of browsers; absent: Chromium alone, which then is not named. */
  readonly browsers?: readonly string[];
  /** Policies that steer between `pathways`; absent where nothing is steered. */
  readonly steering?: readonly string[];
  /** Servers with the same files, beside that of `mpd`. */
  readonly pathways?: readonly PlacedPathway[];
  /** In how many ranges at once segments are requested; absent: segments are requested whole. */
  readonly split?: readonly number[];
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

/** Makes the campaign that a comparison means: one pair. Its verdicts are never asked for; their fields are those of a new file. */
const campaignOf = (comparison: Comparison): CampaignFile => {
  const { browsers, steering, split, origin, controller } = comparison;
  return {
    ...startingFile,
    name: 'compare',
    about: 'Sessions side by side, by the options of pitwall compare.',
    rules: [...comparison.rules],
    transports: comparison.transports as CampaignFile['transports'],
    ...(origin === 'instrumented' && { origin }),
    ...(controller !== undefined && { controllers: [controller] }),
    ...(steering && { steering: [...steering] }),
    ...(split && { split: [...split] }),
    ...(browsers && { browsers: [...browsers] }),
    contents: [comparison.mpd ?? 'demo'],
    repeats: 1,
    seeds: [1],
    seconds: comparison.seconds,
    browserProfile: comparison.browserProfile,
    preset: comparison.preset,
  };
};

/** Resolves the campaign that a comparison means. Paths are relative to the current folder. @throws Error in one sentence that names the option */
export async function resolveComparison(comparison: Comparison): Promise<Resolved> {
  const campaign = campaignOf(comparison);
  const fault = faultOf(campaign, comparison);
  if (fault !== null) throw usageError(fault);
  const resolved = withSessions(await resolve(campaign, OPTIONS));
  return { ...resolved, plan: namedByArm(resolved.plan) };
}

/** Returns what no parser of one option sees, in one sentence; null: nothing. A stream elsewhere is looked at when it is played. */
function faultOf(campaign: CampaignFile, { rules, mpd, seconds }: Comparison): string | null {
  const [ofBrowsers] = faultsOfFactor(browser, campaign, { browsers: knownBrowsers, faultOfRule });
  if (ofBrowsers !== undefined) return ofBrowsers.replace(/^\/[^:]+/, (place) => placeIn(OPTIONS, place));
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

/** Returns a file name and host label. Paths of weights and parameters of policies are too long for one, and two may begin alike. */
function idOf({ controller: _, ...session }: PlannedSession): string {
  const arm = armOf(session);
  const { rule, steering, split } = session;
  const isLong = steering !== undefined || split !== undefined || splitWeights(rule).file !== null;
  return isLong ? sessionIdOf(arm) : arm.replace(/[^\w-]+/g, '-').toLowerCase();
}
