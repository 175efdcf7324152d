import type { CampaignFile } from './campaignFile.ts';
import { hashOf } from './drawnNetworks.ts';
import { networkCount, networkGroup } from './networks.ts';
import type { CampaignPlan, Network, PlannedSession, PlannedVariant } from './plan.ts';
import { sessionIdOf } from './sessionId.ts';
import { isAaSession } from '../factors/arms.ts';
import type { Profile } from '../../src/network/profile.ts';
import { groupBy } from '../../src/shared/groupBy.ts';
import { pick, type Entry } from '../../src/shared/registry.ts';

/** A change of the network under which some pairs are played again. `label` is what sentences have behind "with". */
interface Variant extends Entry {
  /** Returns the changed network. Its queue holds as many packets as before. */
  changed(profile: Profile): Profile;
}

/** CellReplay (Sentosa et al., NSDI 2025): the replay of a saturated trace has round trips that are 13 to 17 % too short. */
const RTT_FACTOR = 1.15;

export const variants: readonly Variant[] = [
  { id: 'rtt', label: 'round trips 15 % longer', changed: withLongerRoundTrips },
];

function withLongerRoundTrips(profile: Profile): Profile {
  const { steps, queue } = profile;
  return {
    ...profile,
    steps: steps.map((step) => ({ ...step, rttMs: Number((RTT_FACTOR * step.rttMs).toFixed(3)) })),
    // A queue in bandwidth-delay products would grow with the round trips.
    queue: 'bdp' in queue ? { ...queue, bdp: queue.bdp / RTT_FACTOR } : queue,
  };
}

/** Number of pairs of each verdict that are played again where the campaign states none: enough for six comparisons. */
const USUAL_PAIRS = 8;

/** Counts the pairs of each verdict. */
const pairsInVerdict = ({ contents, repeats, seeds, per, profiles }: CampaignFile): number =>
  contents.length * repeats * seeds.length * (per === 'network' ? 1 : networkCount({ profiles }));

/** Returns what is wrong with the variants of a campaign: a sentence each, with its path in the file. */
export function variantFaults(campaign: CampaignFile): string[] {
  const { robustTo, profiles } = campaign;
  if (!robustTo) return [];
  if (profiles.length === 0)
    return [
      '/robustTo: Variants play pairs again over changed links: fill in "profiles", or leave out "robustTo".',
    ];
  const all = pairsInVerdict(campaign);
  return (robustTo.pairs ?? 0) > all
    ? [`/robustTo/pairs: A verdict of this campaign has ${all} pairs, fewer than ${robustTo.pairs}.`]
    : [];
}

/** The longest round trip that a log may have of its network, in ms. */
const MAX_RTT_MS = 9999;

/** Finds a network that no variant may change, in one sentence; null: none. */
export function faultOfVariants({ robustTo }: CampaignFile, networks: readonly Network[]): string | null {
  const isTooLong = ({ profile }: Network, id: string): boolean =>
    pick(variants, id)
      .changed(profile)
      .steps.some(({ rttMs }) => rttMs > MAX_RTT_MS);
  const found = networks.find((network) => robustTo?.variants.some((id) => isTooLong(network, id)));
  return found
    ? `/robustTo: The round trips of ${found.name} would be longer than ${MAX_RTT_MS} ms: leave it out.`
    : null;
}

/** Plans the sessions of all variants. `sessions` are those of the campaign itself. */
export function plannedVariants({
  campaign,
  networks,
  sessions,
}: Pick<CampaignPlan, 'campaign' | 'networks' | 'sessions'>): PlannedVariant[] {
  const { robustTo } = campaign;
  if (!robustTo) return [];
  const pairs = new Set(drawPairs(campaign, sessions));
  const chosen = sessions.filter((each) => pairs.has(each.design.pair) && !isAaSession(each));
  const met = new Set(chosen.map(({ link }) => link?.network));
  return robustTo.variants.map((variant) => ({
    variant,
    pairs: [...new Set(chosen.map(({ design }) => design.pair))],
    networks: networks.filter(({ name }) => met.has(name)).map((each) => changedNetwork(each, variant)),
    sessions: [...groupBy(chosen, ({ design }) => design.pair).values()].flatMap((pair) =>
      pair.map((session, order) => sessionAgain(session, { variant, order, campaign })),
    ),
  }));
}

/** Draws the pairs that are played again with the first seed, from as many networks as there are: networks may differ. */
function drawPairs(campaign: CampaignFile, sessions: readonly PlannedSession[]): string[] {
  const { robustTo, seeds, per } = campaign;
  const max = Math.min(robustTo?.pairs ?? USUAL_PAIRS, pairsInVerdict(campaign));
  const networkOf = new Map(sessions.map(({ link, design }) => [design.pair, link?.network ?? '']));
  const drawn = [...networkOf]
    .map(([pair, network]) => ({ pair, network, at: hashOf(`robust/${seeds[0]}/${pair}`) }))
    .sort((one, other) => one.at - other.at);
  const groups = groupBy(drawn, ({ network }) => (per === 'network' ? network : networkGroup(network)));
  const turns = [...groups.values()].flatMap((of) => of.map(({ pair }, turn) => ({ pair, turn })));
  const chosen =
    per === 'network'
      ? turns.filter(({ turn }) => turn < max)
      : turns.sort((one, other) => one.turn - other.turn).slice(0, max);
  return chosen.map(({ pair }) => pair);
}

/** Names a network under a variant. Names of networks have no "+", so it is the name of no other one. */
const changedName = (network: string, variant: string): string => `${network}+${variant}`;

function changedNetwork({ name, profile }: Network, variant: string): Network {
  const { label, changed } = pick(variants, variant);
  const named = { id: changedName(profile.id, variant), label: `${profile.label}, ${label}` };
  // No list has it, so its logs hold it whole.
  return { name: changedName(name, variant), profile: { ...changed(profile), ...named }, isFromFile: true };
}

interface Again {
  readonly variant: string;
  readonly order: number;
  readonly campaign: Pick<CampaignFile, 'browserProfile'>;
}

/** Makes the session that plays another one again: the same moment of the network, losses, viewer and order. */
function sessionAgain(session: PlannedSession, { variant, order, campaign }: Again): PlannedSession {
  const { design, link, browserProfile = campaign.browserProfile } = session;
  const network = link!.network;
  const named = changedName(network, variant);
  const pair = `${named}${design.pair.slice(network.length)}`;
  const cell = `${design.arm}/${named}${design.cell.slice(design.arm.length + 1 + network.length)}`;
  const warm = browserProfile === 'warm' ? '/warm' : '';
  return {
    ...session,
    id: sessionIdOf(`${design.arm}/${pair}${warm}`),
    link: { ...link!, network: named },
    design: { ...design, cell, pair, order },
  };
}

type Planned = Pick<CampaignPlan, 'sessions' | 'variants'>;

/** Returns the sessions of a campaign and of its variants, in the order in which they are played. */
export const sessionsToPlay = ({ sessions, variants: again = [] }: Planned): readonly PlannedSession[] =>
  again.length === 0 ? sessions : [...sessions, ...again.flatMap((each) => each.sessions)];

/** Returns the networks of a campaign and of its variants. */
export const networksToPlay = ({
  networks,
  variants: again = [],
}: Pick<CampaignPlan, 'networks' | 'variants'>): readonly Network[] => [
  ...networks,
  ...again.flatMap((each) => each.networks),
];

/** Returns a variant as a campaign of its own, which tables and verdicts read as any other. */
export const planOfVariant = (
  { variants: _, ...plan }: CampaignPlan,
  { networks, sessions }: PlannedVariant,
): CampaignPlan => ({ ...plan, networks, sessions });

/** Returns the pairs of a variant as the campaign itself played them, as a campaign of their own. */
export function planOfSamePairs(
  { variants: _, ...plan }: CampaignPlan,
  { pairs }: PlannedVariant,
): CampaignPlan {
  const chosen = new Set(pairs);
  return { ...plan, sessions: plan.sessions.filter(({ design }) => chosen.has(design.pair)) };
}

/** Formats a variant for the place behind "with". */
export const formatVariant = ({ variant }: Pick<PlannedVariant, 'variant'>): string =>
  pick(variants, variant).label;
