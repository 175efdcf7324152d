import type { CampaignFile } from './campaignFile.ts';
import { contentName } from './contents.ts';
import { hashOf } from './drawnNetworks.ts';
import {
  PLAN_SCHEMA,
  type CampaignPlan,
  type Network,
  type PlannedLink,
  type PlannedSession,
} from './plan.ts';
import { sessionIdOf } from './sessionId.ts';
import { faultOfVariants, plannedVariants, sessionsToPlay } from './variants.ts';
import { aaArmName, armName, armsOf, factorsOf, type DeclaredFactor } from '../factors/arms.ts';
import type { SessionFields } from '../factors/factor.ts';
import type { SessionFactors } from '../factors/registry.ts';
import { rulesIn } from '../factors/rule.ts';
import type { Profile } from '../../src/network/profile.ts';
import { failed, ok, type Result } from '../../src/shared/result.ts';
import { drawViewerScript } from '../../src/shared/viewerScript.ts';
import { seededRandom } from '../../src/analysis/statistics/random.ts';

/** The name of the network in cells of a campaign without one. */
export const NO_LINK = 'no-link';

/**
 * Makes the plan of a campaign: repeats outermost, so that a campaign that is cut off has whole rounds. `networks` are those of
 * `campaign.profiles`, in their order.
 */
export function planCampaign(campaign: CampaignFile, networks: readonly Network[]): Result<CampaignPlan> {
  const pairs = plannedPairs(campaign, networks);
  const sessions = pairs.sessions(0, pairs.count);
  const variants = plannedVariants({ campaign, networks, sessions });
  const all = sessionsToPlay({ sessions, variants });
  const fault = planFault(campaign, networks) ?? sameIds(all.map(({ id }) => id));
  if (fault !== null) return failed(fault);
  return ok({ schema: PLAN_SCHEMA, campaign, networks, sessions, ...(variants.length > 0 && { variants }) });
}

/** Returns what is wrong with a plan whatever its sessions are called, in one sentence; null: nothing. */
export function planFault(campaign: CampaignFile, networks: readonly Network[]): string | null {
  const twice = firstTwice(networks.map(({ name }) => name));
  if (twice !== null) return sameName(twice);
  return faultOfFlows(campaign, networks) ?? faultOfVariants(campaign, networks);
}

/** Says which id two sessions have, in one sentence; null: all differ. Ids end in a hash of 32 bits, so a large plan may have two. */
export function sameIds(ids: Iterable<string>): string | null {
  const twice = firstTwice(ids);
  return twice === null ? null : sameName(twice);
}

const sameName = (name: string): string =>
  `Two networks or two sessions of the campaign have the same name: ${name}. Name one of them otherwise, or use other seeds.`;

/** Finds flows of TCP whose client gets a new address: such a flow is dead without a word, and no competitor any more. */
function faultOfFlows({ beside = [] }: CampaignFile, networks: readonly Network[]): string | null {
  const moving = networks.find(({ profile }) => profile.steps.some(({ newAddress }) => newAddress));
  const place = beside.findIndex((text) => text.includes('tcp-'));
  return moving && place >= 0
    ? `/beside/${place}: The network ${moving.name} gives the client new addresses, which ends flows of TCP: use flows of QUIC, or another network.`
    : null;
}

/** What all arms of a pair have in common. */
interface Pair {
  readonly network: Network | null;
  /** Place of the network among those of the campaign, from 0; 0 without a network. */
  readonly networkPlace: number;
  readonly content: string;
  readonly repeat: number;
  readonly seed: number;
  /** Counted so that the pairs of one network and content have all places in turn, and so have the networks of one repeat. */
  readonly place: number;
}

/** The pairs of a campaign in the order in which they are played. Their sessions are made when they are asked for. */
export interface PlannedPairs {
  readonly count: number;
  /** Makes the sessions of the pairs `from` to `to`, counted from 0; `to` is not included. Arms of a pair stand together. */
  sessions(from: number, to: number): PlannedSession[];
}

/** Returns the pairs of a plan, repeats outermost. `networks` are those of `campaign.profiles`, in their order. */
export function plannedPairs(campaign: CampaignFile, networks: readonly Network[]): PlannedPairs {
  const { contents, repeats, seeds } = campaign;
  const conditions = (networks.length > 0 ? networks : [null]).flatMap((network, networkPlace) =>
    contents.map((content) => ({ network, networkPlace, content })),
  );
  const design = { campaign, factors: factorsOf(campaign), arms: armsOf(campaign) };
  const pairAt = (index: number): Pair => {
    const at = index % conditions.length;
    const round = (index - at) / conditions.length;
    const repeat = Math.floor(round / seeds.length);
    return { ...conditions[at]!, repeat, seed: seeds[round % seeds.length]!, place: round + at };
  };
  const count = conditions.length * repeats * seeds.length;
  return {
    count,
    sessions: (from, to) =>
      Array.from({ length: Math.min(to, count) - from }, (_, place) => pairAt(from + place)).flatMap((pair) =>
        sessionsOf(design, pair),
      ),
  };
}

/** What all pairs of a campaign have in common. */
interface PairDesign {
  readonly campaign: CampaignFile;
  readonly factors: readonly DeclaredFactor[];
  readonly arms: readonly string[][];
}

function sessionsOf({ campaign, factors, arms }: PairDesign, pair: Pair): PlannedSession[] {
  const { content, repeat, seed } = pair;
  const condition = `${pair.network?.name ?? NO_LINK}/${contentName(content)}`;
  const name = `${condition}/${repeat}/${seed}`;
  const link = linkOf(campaign, pair, name);
  const viewer = viewerOf(campaign, name);
  const planned = [
    ...arms.map((values) => ({ values, arm: armName(values) })),
    ...(campaign.aaSessions === true ? [aaSession(arms[pair.place % arms.length]!)] : []),
  ];
  return shuffled(planned, hashOf(`order/${name}`)).map(({ values, arm }, order) => {
    // Another session, though of the same arm and pair: logs of both campaigns can be distinguished.
    const browserProfile = browserProfileOf(campaign, pair.networkPlace);
    const inTurn = campaign.browserProfile === 'in-turn' ? { browserProfile } : {};
    const warm = browserProfile === 'warm' ? '/warm' : '';
    return {
      id: sessionIdOf(`${arm}/${name}${warm}`),
      ...playedOf(fieldsOf({ factors, values, ...pair }), inTurn),
      content,
      ...(viewer !== undefined && { viewer }),
      link,
      design: {
        campaign: campaign.name,
        cell: `${arm}/${condition}`,
        pair: name,
        arm,
        order,
        repeat,
        seed,
        ...(campaign.blocks !== undefined && {
          block: blockOf(repeat, { ...campaign, blocks: campaign.blocks }),
        }),
      },
    };
  });
}

interface PlayedArm extends Pick<Pair, 'networkPlace'> {
  readonly factors: readonly DeclaredFactor[];
  /** The parts of the arm's name. */
  readonly values: readonly string[];
}

/** Returns what a session has of each factor. */
const fieldsOf = ({ factors, values, networkPlace }: PlayedArm): SessionFields[] =>
  factors.map(({ factor }, place) => {
    const name = values[place]!;
    if (factor.planned) return factor.planned(name, networkPlace);
    return factor.key === null ? {} : { [factor.key]: factor.values.read(name) };
  });

/** Joins the fields. Plans are compared byte by byte, so the profile of the browser stays behind the first factor. */
const playedOf = (
  [first, ...others]: readonly SessionFields[],
  inTurn: Pick<PlannedSession, 'browserProfile'>,
): SessionFactors => Object.assign({}, first, inTurn, ...others) as SessionFactors;

/**
 * Returns the browser profile of a pair. Where cold and warm come in turn, every rule that networks have in turn meets each of
 * the two in as many networks, or in one more.
 */
function browserProfileOf(
  { browserProfile = 'cold', rules }: CampaignFile,
  networkPlace: number,
): 'cold' | 'warm' {
  if (browserProfile !== 'in-turn') return browserProfile;
  const inTurn = Math.max(...rules.map((entry) => rulesIn(entry).length));
  return Math.floor(networkPlace / inTurn) % 2 === 0 ? 'cold' : 'warm';
}

const aaSession = (values: string[]): { values: string[]; arm: string } => ({
  values,
  arm: aaArmName(armName(values)),
});

/** Returns the block of a repeat, from 1. Blocks have as many repeats as each other, or one more. */
const blockOf = (repeat: number, { repeats, blocks }: { repeats: number; blocks: number }): number =>
  1 + Math.floor((repeat * blocks) / repeats);

/** Makes the link of a pair. Everything random about it depends on the pair alone, so that all its arms meet the same. */
function linkOf({ phase, leadInSeconds }: CampaignFile, { network }: Pair, name: string): PlannedLink | null {
  if (!network) return null;
  const share = hashOf(`phase/${name}`) / 2 ** 32;
  return {
    network: network.name,
    seed: hashOf(`losses/${name}`),
    phaseMs: phase === 'drawn' ? Math.floor(share * roundMs(network.profile)) : 0,
    leadInMs: leadInSeconds * 1000,
  };
}

/** Draws the script of the viewer, who does the same at the same times in all arms of a pair. */
const viewerOf = ({ viewer }: CampaignFile, name: string): string | undefined =>
  viewer && drawViewerScript(viewer, (index) => hashOf(`viewer/${index}/${name}`) / 2 ** 32);

/** Returns how long a round of a profile lasts, ms; 0 for a profile that runs once, as it has one beginning only. */
const roundMs = ({ repeat, steps }: Profile): number =>
  repeat ? steps.reduce((sum, { durationMs }) => sum + durationMs, 0) : 0;

function firstTwice(names: Iterable<string>): string | null {
  const seen = new Set<string>();
  for (const name of names) {
    if (seen.has(name)) return name;
    seen.add(name);
  }
  return null;
}

/** Returns the items in an order drawn by a seed (Fisher and Yates), each order as likely as any. */
function shuffled<Item>(items: readonly Item[], seed: number): Item[] {
  const random = seededRandom(seed);
  const order = [...items];
  for (let last = order.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1));
    [order[last], order[other]] = [order[other]!, order[last]!];
  }
  return order;
}
