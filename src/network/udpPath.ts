import { queuePackets, type Profile, type ProfileStep, type PolicedSpell } from './profile.ts';

/** What a policer lets pass at once after a pause, in bytes: 2 s of its rate, and never less than about ten packets. */
export const policerBurstBytes = (kbps: number): number => Math.max(16_000, Math.round(kbps * 250));

const PACKET_BYTES = 1500;

/** Bytes that wait before a limit that queues, at most; a packet always finds room. */
export const limitQueueBytes = (kbps: number, queueMs: number): number =>
  Math.max(PACKET_BYTES, Math.round((kbps * queueMs) / 8));

/**
 * The path that UDP meets where it is limited: in each spell the downlink carries no more than the limit. A policer
 * drops what exceeds its rate and burst, as a queue of the burst's size drops what it does not hold, so that is the queue of
 * this path: of the smallest burst, and in the time outside the spells, too. It adds the delay of a queue, which a policer
 * does not. A limit that queues is such a path, with its own queue. Returns the profile itself where UDP is treated as TCP.
 *
 * @throws Error for a spell that blocks UDP: then nothing is carried, and a browser changes to TCP
 */
export function udpPath(profile: Profile): Profile {
  const spells = profile.udp ?? [];
  if (spells.length === 0) return profile;
  if (isUdpBlocked(profile)) throw new Error(`Profile ${profile.id}: a path without UDP has no UDP path`);
  const held = spells.map(heldPackets);
  const own = queuePackets(profile, 'down');
  return {
    ...profile,
    steps: stepsWithin(profile, spells),
    queue: {
      kind: 'droptail',
      packets: Math.min(isOnlyQueue(spells) ? Infinity : (own ?? Infinity), ...held),
    },
  };
}

/** Whether UDP is lost altogether at some time. */
export const isUdpBlocked = ({ udp = [] }: Pick<Profile, 'udp'>): boolean =>
  udp.some(({ kbps }) => kbps === 0);

/** Whether UDP is lost from some time on until the end. */
export const isUdpBlockedForEver = ({ udp = [] }: Pick<Profile, 'udp'>): boolean =>
  udp.some(({ kbps, untilMs }) => kbps === 0 && untilMs === null);

/** What a path does to UDP alone at a moment. */
export interface UdpNow {
  /** 0: nothing gets through; Infinity: UDP is treated as TCP. */
  readonly kbps: number;
  /** Packets that a policer of this rate lets pass at once. */
  readonly burstPackets: number;
  /** When that changes next; Infinity: never. */
  readonly untilMs: number;
}

export function udpAt(spells: readonly PolicedSpell[], atMs: number): UdpNow {
  const kbps = limitAt(spells, atMs);
  const changes = boundsOf(spells).filter((boundMs) => boundMs > atMs);
  return { kbps, burstPackets: burstPackets(kbps), untilMs: Math.min(Infinity, ...changes) };
}

const burstPackets = (kbps: number): number => Math.floor(policerBurstBytes(kbps) / PACKET_BYTES);

/** Whether the path's own queue is never the one that fills: UDP is slower than the path all the time. */
const isOnlyQueue = (spells: readonly PolicedSpell[]): boolean =>
  spells.every(({ queueMs }) => queueMs !== undefined) && isAlways(spells);

const isAlways = (spells: readonly PolicedSpell[]): boolean =>
  spells.every(({ fromMs, untilMs }) => fromMs <= 0 && untilMs === null);

const heldPackets = ({ kbps, queueMs }: PolicedSpell): number =>
  queueMs === undefined
    ? burstPackets(kbps)
    : Math.max(1, Math.round(limitQueueBytes(kbps, queueMs) / PACKET_BYTES));

const limitAt = (spells: readonly PolicedSpell[], atMs: number): number =>
  spells
    .filter(({ fromMs, untilMs }) => fromMs <= atMs && (untilMs === null || atMs < untilMs))
    .reduce((min, { kbps }) => Math.min(min, kbps), Infinity);

const boundsOf = (spells: readonly PolicedSpell[]): number[] =>
  spells.flatMap(({ fromMs, untilMs }) => [fromMs, ...(untilMs === null ? [] : [untilMs])]);

/** The steps, cut where a spell begins or ends. Only a profile that runs once has one place for each. */
function stepsWithin({ steps, repeat, id }: Profile, spells: readonly PolicedSpell[]): ProfileStep[] {
  if (repeat && !isAlways(spells))
    throw new Error(`Profile ${id}: its limits end, and its steps begin again`);
  const bounds = boundsOf(spells);
  let atMs = 0;
  return steps.flatMap((step) => {
    const [fromMs, untilMs] = [atMs, (atMs += step.durationMs)];
    const cuts = [...new Set(bounds.filter((at) => at > fromMs && at < untilMs))].sort((a, b) => a - b);
    return [fromMs, ...cuts].map((begin, place) => ({
      ...step,
      durationMs: (cuts[place] ?? untilMs) - begin,
      downKbps: limited(step.downKbps, begin, spells),
    }));
  });
}

function limited(downKbps: number | null, atMs: number, spells: readonly PolicedSpell[]): number | null {
  const kbps = Math.min(downKbps ?? Infinity, limitAt(spells, atMs));
  return kbps === Infinity ? null : kbps;
}
