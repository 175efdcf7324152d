import type { CampaignFile } from './campaignFile.ts';
import { drawNetworks, drawnNames, isFromFile, networkName } from './drawnNetworks.ts';
import type { Network } from './plan.ts';
import type { PolicedSpell, Profile, ProfileStep } from '../../src/network/profile.ts';
import { networkProfiles } from '../../src/network/profiles/registry.ts';
import { pick } from '../../src/shared/registry.ts';

export { isFromFile };

type Profiles = Pick<CampaignFile, 'profiles' | 'seeds'>;

/** How many networks a campaign has, drawn ones included; 0 without an emulated link. */
export const networkCount = ({ profiles }: Pick<CampaignFile, 'profiles'>): number =>
  profiles.reduce((sum, entry) => sum + (typeof entry === 'string' ? 1 : entry.count), 0);

/** The names of a campaign's networks, in their order; no trace is read for them. */
export const networkNames = ({ profiles, seeds }: Profiles): string[] =>
  profiles.flatMap((entry) => (typeof entry === 'string' ? networkName(entry) : drawnNames(entry, seeds)));

/** The networks of a campaign that names no trace and no file. @throws Error for an id that is no profile */
export const networksOf = ({ profiles, seeds }: Profiles): Network[] =>
  profiles.flatMap((entry) =>
    typeof entry === 'string'
      ? [{ name: entry, profile: pick(networkProfiles, entry) }]
      : drawNetworks(entry, seeds),
  );

/** The entry of `profiles` from which a network comes, as an index; `place` is that of the network. */
export function profileIndex({ profiles }: Pick<CampaignFile, 'profiles'>, place: number): number {
  let end = 0;
  return profiles.findIndex((entry) => {
    end += typeof entry === 'string' ? 1 : entry.count;
    return place < end;
  });
}

/**
 * In names of FCC traces, `trace_215364_http---www.ebay.com_0`, the number is the unit that measured: a box in one household
 * (FCC, Measuring Broadband America, `unit_id`). Pensieve's conversion of the raw data writes these names.
 */
const FCC_UNIT = /(?:^|-)trace-(\d+)-http-/;

/**
 * What counts as one network in inference: the FCC traces of one household together, and any other network by itself. Traces
 * of one household share its line, so they are no independent networks. Takes and returns names.
 */
export function networkGroup(name: string): string {
  const unit = FCC_UNIT.exec(name)?.[1];
  return unit === undefined ? name : `household ${unit}`;
}

/** Whether the name of a network is that of a household's trace. */
export const isHousehold = (name: string): boolean => FCC_UNIT.test(name);

/** The different networks of a campaign, as inference counts them. */
export const networkGroups = (campaign: Profiles): ReadonlySet<string> =>
  new Set(networkNames(campaign).map(networkGroup));

/**
 * Whether every pair meets a network in the same way: nothing is lost at random, and no phase changes what the network does.
 * Repeats on it are repeats of one condition, if the viewer also does the same: they show how well the lab repeats itself.
 */
export const isDeterministic = (profile: Profile, phase: CampaignFile['phase']): boolean =>
  !hasLoss(profile) && !hasPhases(profile, phase);

/** Whether packets are lost at random, other ones in each pair. */
export const hasLoss = ({ steps }: Profile): boolean =>
  steps.some(({ lossDown, lossUp }) => lossDown > 0 || lossUp > 0);

/** Whether pairs begin at drawn moments at which the network differs. A profile that runs once has one beginning. */
export const hasPhases = (profile: Profile, phase: CampaignFile['phase']): boolean =>
  phase === 'drawn' && profile.repeat && !isConstant(profile);

function isConstant({ steps, udp = [], tcp = [] }: Profile): boolean {
  const [first] = steps;
  const isSame = (step: ProfileStep): boolean =>
    step.downKbps === first!.downKbps &&
    step.upKbps === first!.upKbps &&
    step.rttMs === first!.rttMs &&
    step.newAddress !== true &&
    step.newUdpPorts !== true &&
    step.mtuBytes === first!.mtuBytes;
  const isAlways = ({ fromMs, untilMs }: PolicedSpell): boolean => fromMs === 0 && untilMs === null;
  return steps.every(isSame) && [...udp, ...tcp].every(isAlways);
}
