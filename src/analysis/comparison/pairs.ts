import { groupBy } from '../../shared/groupBy.ts';
import type { SessionHeader } from '../../telemetry/schema/sessionLog.ts';

/** Sessions that may be compared with each other: those of one pair of a campaign, or all those that are of none. */
export interface SessionPair {
  /** What distinguishes it from the other pairs, as in "wifi, repeat 2"; null where there is only one, and for sessions of none. */
  readonly name: string | null;
  /** Places of its sessions, in their order. */
  readonly places: readonly number[];
  /** Place of the session that the others are compared with. */
  readonly reference: number;
}

type Header = Pick<SessionHeader, 'design'> & {
  /** The factor that the session's campaign declares to be compared, as its plan has it; absent: the plan was not seen. */
  readonly compared?: string | null | undefined;
  readonly environment?: Pick<SessionHeader['environment'], 'transfer' | 'transport'>;
};

/**
 * Groups sessions by the pairs of campaigns: sessions of different pairs had different networks, so a difference between
 * them says nothing. `reference` is the place of the chosen one. In every other pair, it is the session of the same arm,
 * else the first. Sessions of no pair are a group of their own. Of several transfers over several transports, only the
 * transports within a transfer are compared, or the transfers over each transport where these were declared.
 */
export function pairsOf(headers: readonly Header[], reference: number): SessionPair[] {
  const all = [...headers.keys()];
  const groups = [...groupBy(all, (place) => keyOf(headers[place]!)).values()].flatMap((places) => {
    const by = (fact: Fact): number[][] => [
      ...groupBy(places, (place) => headers[place]!.environment?.[fact] ?? '').values(),
    ];
    return by('transport').length > 1 ? by(heldOf(headers[places[0]!]!)) : [places];
  });
  const names = namesOf(groups.map(([first]) => headers[first!]!));
  return groups.map((places, index) => ({
    name: names[index]!,
    places,
    reference: places.includes(reference) ? reference : likeIn(places, headers, headers[reference]),
  }));
}

type Fact = 'transfer' | 'transport';

/** Returns what sessions that download have in common where they are compared. */
const heldOf = ({ compared }: Header): Fact => (compared === 'transfers' ? 'transport' : 'transfer');

/** Returns the place with the arm of `chosen`, else the first. A second session of an arm (A/A) is of that arm, too. */
function likeIn(places: readonly number[], headers: readonly Header[], chosen: Header | undefined): number {
  const armOf = (header: Header | undefined): string | undefined => header?.design?.arm;
  const arm = armOf(chosen);
  const wanted = arm === undefined ? [] : [arm, arm.replace(AA_END, '')];
  const found = wanted.map((each) => places.find((place) => armOf(headers[place]) === each));
  // The arms of another group have another transfer, or another transport.
  const alike = places.find((place) => {
    const { transfer, transport } = headers[place]!.environment ?? {};
    const wanted = chosen?.environment;
    return transfer && (transport === wanted?.transport || transfer === wanted?.transfer);
  });
  return found.find((place) => place !== undefined) ?? alike ?? places[0]!;
}

/** How the arm of an A/A session ends (`experiment/factors/arms.ts`). */
const AA_END = /\/A\/A$/;

const keyOf = ({ design }: Header): string =>
  design ? JSON.stringify([design.campaign, design.block, design.pair]) : '';

/** What of each pair is not the same for all; all of it where nothing is. null for sessions of no campaign. */
function namesOf(pairs: readonly Header[]): (string | null)[] {
  const parts = pairs.map((header) => {
    const { design, environment } = header;
    return design ? [...partsOf(design), environment?.[heldOf(header)] ?? ''] : null;
  });
  const known = parts.filter((each) => each !== null);
  const varies = (part: string, at: number): boolean => known.some((each) => each[at] !== part);
  const isAlone = parts.length === 1;
  return parts.map((each) => {
    if (each === null || isAlone) return null;
    const varying = each.filter(varies);
    return (varying.length > 0 ? varying : each.filter((part) => part !== '')).join(', ');
  });
}

/** The id of a pair is NETWORK/CONTENT/REPEAT/SEED (`experiment/design/planCampaign.ts`); repeats count from 1 for people. */
function partsOf({ campaign, block, pair, repeat, seed }: NonNullable<Header['design']>): string[] {
  const [network = '', content = ''] = pair.split('/');
  const whole = [campaign, network, content, `repeat ${repeat + 1}`, `seed ${seed}`];
  return block === undefined ? whole : [...whole, `block ${block}`];
}
