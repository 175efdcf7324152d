import type { CampaignFile } from '../design/campaignFile.ts';
import { formatFamily } from '../design/drawnNetworks.ts';
import {
  hasLoss,
  hasPhases,
  isDeterministic,
  isHousehold,
  networkGroup,
  profileIndex,
} from '../design/networks.ts';
import type { CampaignPlan, Network } from '../design/plan.ts';
import { formatCount } from '../../src/shared/format.ts';
import { hasDrawnTimes } from '../../src/shared/viewerScript.ts';
import type { SessionLog } from '../../src/telemetry/schema/sessionLog.ts';
import { isSimulated } from '../../src/telemetry/isSimulated.ts';

type Planned = Pick<CampaignPlan, 'campaign' | 'networks'>;

/** Where and when a session was played, as its log has it. */
export interface PlayedSession {
  readonly environment: Pick<SessionLog['environment'], 'browser' | 'userAgent' | 'machine' | 'simulator'>;
  readonly startedAtUnixMs: number;
}

/**
 * Says what was sampled, which is all that a verdict is about: "10 repeats of one network (dvl), on 1 machine (2 cores, Linux
 * x86_64; HeadlessChrome 148), 2026-11-22 to 2026-11-23". It is the same for all verdicts of a campaign. `played` are its
 * finished sessions; before any is played the phrase has only the design.
 */
export const formatScope = (plan: Planned, played: readonly PlayedSession[] = []): string =>
  [formatSample(plan), ...formatPlaces(played)].join(', ');

function formatSample({ campaign, networks }: Planned): string {
  const each = pairsOfEach(campaign);
  const [first, ...others] = networks;
  if (!first) return `${formatCount(each, 'pair')} without an emulated link`;
  if (campaign.infer === 'network') {
    const means = each > 1 ? `, the mean over ${each} pairs on each` : '';
    return `${formatNetworks({ campaign, networks })}${means}`;
  }
  if (others.length === 0) return `${formatRepeats(campaign, networks)} one network (${first.name})`;
  if (campaign.per === 'network')
    return `${formatRepeats(campaign, networks)} each network by itself (${formatNames(networks)})`;
  if (each === 1 && campaign.infer === undefined) return formatNetworks({ campaign, networks });
  return `${formatCount(each, 'pair')} on each of these ${networks.length} networks (${formatNames(networks)}), not about other networks`;
}

/** Counts the pairs on one network, or in a campaign without one. */
const pairsOfEach = ({ repeats, seeds, contents }: CampaignFile): number =>
  repeats * seeds.length * contents.length;

/** Says what pairs repeat: `10 repeats of`, where all pairs meet the same; else what is drawn for each pair. */
function formatRepeats(campaign: CampaignFile, networks: readonly Network[]): string {
  const each = pairsOfEach(campaign);
  const count =
    campaign.contents.length > 1 ? `${formatCount(each, 'pair')} on` : `${formatCount(each, 'repeat')} of`;
  const drawn = formatDrawn(campaign, networks);
  return drawn === null ? count : `${formatCount(each, 'pair')} with ${drawn} on`;
}

/** Says what differs from pair to pair on these networks; null: nothing does. */
function formatDrawn({ phase, viewer }: CampaignFile, networks: readonly Network[]): string | null {
  const drawn = [
    ...(networks.some(({ profile }) => hasLoss(profile)) ? ['random loss'] : []),
    ...(networks.some(({ profile }) => hasPhases(profile, phase)) ? ['drawn phases'] : []),
    ...(hasDrawnTimes(viewer) ? ['drawn moments of the viewer'] : []),
  ];
  const others = drawn.slice(0, -1).join(', ');
  return others === '' ? (drawn[0] ?? null) : `${others} and ${drawn.at(-1)}`;
}

/** Maximum number of names: more do not help a reader. */
const MAX_NAMES = 4;

function formatNames(networks: readonly Network[]): string {
  const names = networks.slice(0, MAX_NAMES).map(({ name }) => name);
  const more = networks.length - names.length;
  return `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** Formats networks, as in `10 networks drawn from udp-limiter with limitKbps 64 to 1000`, `9 households (10 traces)`. */
function formatNetworks({ campaign, networks }: Planned): string {
  const { profiles } = campaign;
  const named = networks.filter((_, place) => typeof profiles[profileIndex(campaign, place)] === 'string');
  const drawn = profiles.filter((entry) => typeof entry !== 'string');
  return [
    ...(named.length > 0 ? [formatNamed(named)] : []),
    ...drawn.map((entry) => `${formatCount(entry.count, 'network')} drawn from ${formatFamily(entry)}`),
  ].join(' and ');
}

function formatNamed(networks: readonly Network[]): string {
  const count = new Set(networks.map(({ name }) => networkGroup(name))).size;
  if (networks.every(({ name }) => isHousehold(name))) {
    const traces = count < networks.length ? ` (${formatCount(networks.length, 'trace')})` : '';
    return `${formatCount(count, 'household')}${traces}`;
  }
  if (count < networks.length)
    return `${formatCount(count, 'network')} (${networks.length} profiles; traces of one household are one network)`;
  const names = networks.length <= MAX_NAMES ? ` (${formatNames(networks)})` : '';
  return `${formatCount(count, 'network')}${names}`;
}

/**
 * Formats machines, browsers and days. Machines are distinguished by their id. Where a log has none (older versions, a machine
 * that does not say), they are distinguished by cores and system: the count is then a minimum.
 */
function formatPlaces(played: readonly PlayedSession[]): string[] {
  if (played.length === 0) return [];
  const real = played.filter((session) => !isSimulated(session));
  if (real.length === 0) return ['simulated'];
  const machines = new Set(real.map(({ environment }) => formatMachine(environment)));
  const ids = new Set(real.map(({ environment }) => environment.machine?.id));
  const count = ids.has(undefined)
    ? `at least ${formatCount(Math.max(machines.size, ids.size - 1), 'machine')}`
    : formatCount(ids.size, 'machine');
  const browsers = new Set(real.flatMap(({ environment }) => formatBrowser(environment) ?? []));
  const days = real.map(({ startedAtUnixMs }) => new Date(startedAtUnixMs).toISOString().slice(0, 10)).sort();
  const [first, last] = [days[0]!, days.at(-1)!];
  return [
    `on ${count} (${[...machines, ...browsers].join('; ')})`,
    first === last ? first : `${first} to ${last}`,
  ];
}

/** Formats a browser, `HeadlessChrome 148`: the user agent's product, where the log does not name it; null: not known. */
function formatBrowser({ browser, userAgent }: PlayedSession['environment']): string | null {
  const [, product, version] = /((?:Headless)?Chrome|Firefox)\/(\d+)/.exec(userAgent ?? '') ?? [];
  return browser ?? (product === undefined ? null : `${product} ${version}`);
}

/** Prefix of the revision of Gecko, which Firefox has behind the system: `(X11; Linux x86_64; rv:153.0)`. */
const REVISION = 'rv:';

/** Formats a machine, as in `2 cores, Linux x86_64`; what is not known is left out. */
function formatMachine({ machine, userAgent }: PlayedSession['environment']): string {
  const system = /\(([^()]+)\)/
    .exec(userAgent ?? '')?.[1]
    ?.split('; ')
    .findLast((part) => !part.startsWith(REVISION));
  const known = [...(machine ? [formatCount(machine.cores, 'core')] : []), ...(system ? [system] : [])];
  return known.length > 0 ? known.join(', ') : 'a machine that the log does not describe';
}

/**
 * Returns one sentence on how far the verdicts of a campaign reach, where its pairs may be taken for more than they are; null
 * where they are networks by themselves, or where no network is emulated.
 */
export function scopeCaution({ campaign, networks }: Planned): string | null {
  if (campaign.infer === 'network' || networks.length === 0) return null;
  const each = pairsOfEach(campaign);
  const isSingle = campaign.per === 'network' || networks.length === 1;
  if (each < 2) return isSingle ? null : householdCaution(networks);
  if (isSingle) return repeatsCaution(campaign, networks);
  return `The verdicts are about these ${networks.length} networks together, with ${each} pairs on each. The intervals are for the mean over these networks and say nothing about other networks.`;
}

function repeatsCaution(campaign: CampaignFile, networks: readonly Network[]): string {
  const each = formatCount(pairsOfEach(campaign), 'pair');
  const of = networks.length === 1 ? each : `${each} in each comparison`;
  const repeated = hasDrawnTimes(campaign.viewer)
    ? []
    : networks.filter(({ profile }) => isDeterministic(profile, campaign.phase));
  const drawn = formatDrawn(campaign, networks);
  if (repeated.length === networks.length)
    return `${of}, but 1 network: it has no random loss and every pair meets it alike, so the verdict can only be about repeats of it. The interval shows how well this lab repeats itself, not how networks differ.`;
  const onOthers =
    repeated.length === 0 ? '' : `on ${formatNames(repeated)} all pairs are repeats, elsewhere `;
  return `${of}, but 1 network: ${onOthers}pairs differ only in ${drawn}, so the verdict can only be about this network, not about others.`;
}

function householdCaution(networks: readonly Network[]): string | null {
  const count = new Set(networks.map(({ name }) => networkGroup(name))).size;
  return count === networks.length
    ? null
    : `${formatCount(networks.length, 'pair')}, but ${count} networks: traces of one household share its line and are not independent. With "infer": "network" they count as one.`;
}
