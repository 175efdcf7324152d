import type { SessionHeader } from '../../telemetry/schema/sessionLog.ts';

/** Sessions that may be compared with each other: those of one pair of a campaign, or all those that are of none. */
export interface SessionPair {
  /** What distinguishes it from the other pairs, as in "wifi, 2"; null where there is only one, and for sessions of none. */
  readonly name: string | null;
  /** Places of its sessions, in their order. */
  readonly places: readonly number[];
  /** The one of them that the others are compared with. */
  readonly reference: number;
}

type Header = Pick<SessionHeader, 'design'>;

/**
 * Groups sessions by the pairs of campaigns: sessions of different pairs had different networks, so a difference between
 * them says nothing. `reference` is the place of the chosen one. In every other pair, it is the session of the same arm,
 * else the first. Sessions of no pair are a group of their own.
 */
export function pairsOf(headers: readonly Header[], reference: number): SessionPair[] {
  const groups = new Map<string, number[]>();
  for (const [place, header] of headers.entries())
    groups.set(keyOf(header), [...(groups.get(keyOf(header)) ?? []), place]);
  const names = namesOf([...groups.values()].map(([first]) => headers[first!]!));
  const arm = headers[reference]?.design?.arm;
  return [...groups.values()].map((places, index) => ({
    name: names[index]!,
    places,
    reference: places.includes(reference)
      ? reference
      : (places.find((place) => arm !== undefined && headers[place]!.design?.arm === arm) ?? places[0]!),
  }));
}

const keyOf = ({ design }: Header): string =>
  design ? JSON.stringify([design.campaign, design.block, design.pair]) : '';

/** The parts of each pair's id that are not the same for all. */
function namesOf(pairs: readonly Header[]): (string | null)[] {
  const parts = pairs.map(({ design }) =>
    design
      ? [design.campaign, ...(design.block ? [`block ${design.block}`] : []), ...design.pair.split('/')]
      : null,
  );
  const known = parts.filter((each) => each !== null);
  const varies = (part: string, at: number): boolean => known.some((each) => each[at] !== part);
  return parts.map((each) => each?.filter(varies).join(', ') || null);
}
