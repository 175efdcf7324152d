import type { IpPacket } from './ipPacket.ts';

/** What one address sent to another, or what several did. */
export interface Sender {
  /** Name of the sender: `10.0.0.1 to 10.0.0.2`, or the addresses that were asked for. */
  readonly name: string;
  readonly packets: number;
  readonly ipBytes: number;
  /** Part of `ipBytes` over TCP; `udpBytes` is the part over UDP. */
  readonly tcpBytes: number;
  readonly udpBytes: number;
  /** Different pairs of addresses and ports. */
  readonly flows: number;
  readonly firstUnixMs: number;
  readonly lastUnixMs: number;
  /** Packets of its flows that another interface saw; they count nowhere else. */
  readonly repeatedPackets: number;
  /** Packets that the same interface saw again, as at a mirror port; they count nowhere else. */
  readonly copiedPackets: number;
  /** Computes the bytes of IP in each interval from the first packet on; the last interval ends after the last packet. */
  readonly bytesByInterval: () => readonly number[];
}

interface FlowRates {
  /** Returns how much older a packet is than one before it between the same addresses, on the same interface, ms; else 0. */
  add(atUnixMs: number, packet: IpPacket): number;
  /** Returns all senders, those with the most bytes first. */
  senders(): Sender[];
}

/** How long after a packet a mirror port shows its copy at most, ms; a sender repeats a lost packet later. */
export const MAX_COPY_MS = 20;

/** A mirror shows a packet up to four times. What comes again more often is a flow whose packets are all alike. */
const MAX_COPIES = 3;

/** Maximum number of intervals of a capture. With more, the capture's clock is wrong, or the interval is. */
export const MAX_INTERVALS = 1_000_000;

/**
 * Counts what comes from these addresses, all of it together; or without addresses, what each address sends to each other one.
 * A packet that several interfaces see, as behind a bridge, counts once: of each flow the interface with most bytes counts.
 * So does a packet that one interface sees again within `MAX_COPY_MS`.
 * @throws RangeError from `add` where there are too many intervals
 */
export function createFlowRates(intervalMs: number, addresses: readonly string[] = []): FlowRates {
  const counts = new Map<string, Count>();
  const nameOf = ({ source, destination }: IpPacket): string | null => {
    if (addresses.length === 0) return `${source} to ${destination}`;
    return addresses.includes(source) ? addresses.join(', ') : null;
  };
  return {
    add(atUnixMs, packet) {
      const name = nameOf(packet);
      if (name === null) return 0;
      const count = counts.get(name) ?? { firstUnixMs: atUnixMs, flows: new Map(), latestUnixMs: new Map() };
      counts.set(name, count);
      addTo(count, packet, { atUnixMs, intervalMs });
      return ageMs(count.latestUnixMs, packet, atUnixMs);
    },
    senders: () =>
      [...counts]
        .map(([name, count]) => senderOf(name, count, intervalMs))
        .sort((one, other) => other.ipBytes - one.ipBytes || (one.name < other.name ? -1 : 1)),
  };
}

interface Count {
  readonly firstUnixMs: number;
  readonly flows: Map<string, Flow>;
  /** Latest time of a packet, for each pair of addresses on each interface. */
  readonly latestUnixMs: Map<string, number>;
}

function ageMs(
  latestUnixMs: Map<string, number>,
  { source, destination, seenOn }: IpPacket,
  atUnixMs: number,
): number {
  const key = `${source} ${destination} ${seenOn}`;
  const latest = Math.max(latestUnixMs.get(key) ?? atUnixMs, atUnixMs);
  latestUnixMs.set(key, latest);
  return latest - atUnixMs;
}

interface Flow extends Pick<IpPacket, 'protocol' | 'ports'> {
  /** What each interface saw of the flow. */
  readonly seen: Map<string, Seen>;
}

interface Bytes {
  packets: number;
  ipBytes: number;
  readonly byInterval: Map<number, number>;
}

/** The packets of a flow that one interface saw. */
interface Seen {
  lastUnixMs: number;
  /** Packets that the interface saw for the first time; `again` has those that it saw again. */
  readonly first: Bytes;
  readonly again: Bytes;
  readonly isCopy: (copyHash: number, atUnixMs: number) => boolean;
}

const noBytes = (): Bytes => ({ packets: 0, ipBytes: 0, byInterval: new Map() });

function addTo(
  { firstUnixMs, flows }: Count,
  { source, destination, protocol, ports, ipBytes, seenOn, copyHash }: IpPacket,
  { atUnixMs, intervalMs }: { readonly atUnixMs: number; readonly intervalMs: number },
): void {
  // Captures of several cards are not quite in order of time.
  const interval = Math.max(0, Math.floor((atUnixMs - firstUnixMs) / intervalMs));
  if (interval >= MAX_INTERVALS) throw new RangeError(`more than ${MAX_INTERVALS} intervals`);
  const key = `${protocol} ${source} ${destination} ${ports?.join(' ')}`;
  const flow = flows.get(key) ?? { protocol, ports, seen: new Map<string, Seen>() };
  flows.set(key, flow);
  const seen = flow.seen.get(seenOn) ?? {
    lastUnixMs: firstUnixMs,
    first: noBytes(),
    again: noBytes(),
    isCopy: createCopies(),
  };
  flow.seen.set(seenOn, seen);
  seen.lastUnixMs = Math.max(seen.lastUnixMs, atUnixMs);
  addBytes(copyHash !== null && seen.isCopy(copyHash, atUnixMs) ? seen.again : seen.first, {
    packets: 1,
    ipBytes,
    byInterval: [[interval, ipBytes]],
  });
}

function addBytes(
  to: Bytes,
  {
    packets,
    ipBytes,
    byInterval,
  }: Pick<Bytes, 'packets' | 'ipBytes'> & { byInterval: Iterable<[number, number]> },
): void {
  to.packets += packets;
  to.ipBytes += ipBytes;
  for (const [interval, bytes] of byInterval)
    to.byInterval.set(interval, (to.byInterval.get(interval) ?? 0) + bytes);
}

/** Remembers the packets of a flow for as long as copies of them may come. */
function createCopies(): Seen['isCopy'] {
  let [sinceMs, before, recent] = [-Infinity, new Map<number, number>(), new Map<number, number>()];
  return (copyHash, atUnixMs) => {
    if (Math.abs(atUnixMs - sinceMs) > MAX_COPY_MS)
      [sinceMs, before, recent] = [atUnixMs, recent, new Map<number, number>()];
    const seenMs = recent.get(copyHash) ?? before.get(copyHash) ?? -Infinity;
    recent.set(copyHash, atUnixMs);
    return Math.abs(atUnixMs - seenMs) <= MAX_COPY_MS;
  };
}

/** What counts of what an interface saw of a flow. */
function countedOf({ lastUnixMs, first, again }: Seen): Bytes & { lastUnixMs: number; copies: number } {
  const areCopies = again.packets <= MAX_COPIES * first.packets;
  const all = noBytes();
  addBytes(all, first);
  if (!areCopies) addBytes(all, again);
  return { ...all, lastUnixMs, copies: areCopies ? again.packets : 0 };
}

function senderOf(name: string, { firstUnixMs, flows }: Count, intervalMs: number): Sender {
  const counted = [...flows.values()].map(({ protocol, ports, seen }) => {
    const each = [...seen.values()].map(countedOf);
    const best = each.reduce((one, other) => (other.ipBytes > one.ipBytes ? other : one));
    const all = each.reduce((total, { packets }) => total + packets, 0);
    return { ...best, protocol, ports, repeated: all - best.packets };
  });
  const sum = (field: 'packets' | 'ipBytes' | 'repeated' | 'copies', of?: IpPacket['protocol']): number =>
    counted.reduce((total, each) => total + (of && each.protocol !== of ? 0 : each[field]), 0);
  const lastUnixMs = counted.reduce((last, each) => Math.max(last, each.lastUnixMs), firstUnixMs);
  return {
    name,
    packets: sum('packets'),
    ipBytes: sum('ipBytes'),
    repeatedPackets: sum('repeated'),
    copiedPackets: sum('copies'),
    tcpBytes: sum('ipBytes', 'tcp'),
    udpBytes: sum('ipBytes', 'udp'),
    flows: counted.filter(({ ports }) => ports).length,
    firstUnixMs,
    lastUnixMs,
    bytesByInterval() {
      const bytes = new Array<number>(Math.floor((lastUnixMs - firstUnixMs) / intervalMs) + 1).fill(0);
      for (const { byInterval } of counted)
        for (const [interval, ipBytes] of byInterval) bytes[interval]! += ipBytes;
      return bytes;
    },
  };
}

/** What a trace has for an interval in which nothing came: `zero`, or what the interval before had. */
export type Idle = 'zero' | 'hold';

interface TracePiece {
  readonly durationMs: number;
  readonly rateKbps: number;
  readonly rttMs?: number;
}

/**
 * The rates of a sender as pieces of a trace. The last interval is left out where there is another: the last packet came
 * somewhere within it.
 */
export function tracePieces(
  bytesByInterval: readonly number[],
  {
    intervalMs,
    idle,
    rttMs,
  }: { readonly intervalMs: number; readonly idle: Idle; readonly rttMs: number | null },
): TracePiece[] {
  const whole = bytesByInterval.length > 1 ? bytesByInterval.slice(0, -1) : bytesByInterval;
  let before = 0;
  return whole.map((bytes) => {
    before = bytes === 0 && idle === 'hold' ? before : bytes;
    // Bytes × 8 / ms = kbit/s; to a thousandth, so that a file is not full of digits.
    const rateKbps = Math.round((8000 * before) / intervalMs) / 1000;
    return { durationMs: intervalMs, rateKbps, ...(rttMs !== null && { rttMs }) };
  });
}
