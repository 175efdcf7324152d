import type { IpPacket } from './ipPacket.ts';

/** What one address sent to another, or what several did. */
export interface Sender {
  /** `10.0.0.1 to 10.0.0.2`, or what was asked for. */
  readonly name: string;
  readonly packets: number;
  readonly ipBytes: number;
  /** Of these, by transport. */
  readonly tcpBytes: number;
  readonly udpBytes: number;
  /** Different pairs of addresses and ports. */
  readonly flows: number;
  readonly firstUnixMs: number;
  readonly lastUnixMs: number;
  /** Packets of its flows that another interface saw; they count nowhere else. */
  readonly repeatedPackets: number;
  /** Computes the bytes of IP in each interval from the first packet on; the last interval ends after the last packet. */
  readonly bytesByInterval: () => readonly number[];
}

export interface FlowRates {
  /** Returns how much older a packet is than one before it between the same addresses, on the same interface, ms; else 0. */
  add(atUnixMs: number, packet: IpPacket): number;
  /** By bytes, most first. */
  senders(): Sender[];
}

/** Of a capture that spans so many intervals the clock is wrong, or the interval is. */
export const MAX_INTERVALS = 1_000_000;

/**
 * Counts what comes from these addresses, all of it together; or without addresses, what each address sends to each other one.
 * A packet that several interfaces see, as behind a bridge, counts once: of each flow the interface with most bytes counts.
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
  /** Of each pair of addresses on each interface. */
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
  /** By interface. */
  readonly seen: Map<string, Seen>;
}

/** The packets of a flow that one interface saw. */
interface Seen {
  packets: number;
  ipBytes: number;
  lastUnixMs: number;
  readonly byInterval: Map<number, number>;
}

function addTo(
  { firstUnixMs, flows }: Count,
  { source, destination, protocol, ports, ipBytes, seenOn }: IpPacket,
  { atUnixMs, intervalMs }: { readonly atUnixMs: number; readonly intervalMs: number },
): void {
  // Captures of several cards are not quite in order of time.
  const interval = Math.max(0, Math.floor((atUnixMs - firstUnixMs) / intervalMs));
  if (interval >= MAX_INTERVALS) throw new RangeError(`more than ${MAX_INTERVALS} intervals`);
  const key = `${protocol} ${source} ${destination} ${ports?.join(' ')}`;
  const flow = flows.get(key) ?? { protocol, ports, seen: new Map<string, Seen>() };
  flows.set(key, flow);
  const seen = flow.seen.get(seenOn) ?? {
    ...{ packets: 0, ipBytes: 0, lastUnixMs: firstUnixMs, byInterval: new Map<number, number>() },
  };
  flow.seen.set(seenOn, seen);
  seen.packets += 1;
  seen.ipBytes += ipBytes;
  seen.lastUnixMs = Math.max(seen.lastUnixMs, atUnixMs);
  seen.byInterval.set(interval, (seen.byInterval.get(interval) ?? 0) + ipBytes);
}

function senderOf(name: string, { firstUnixMs, flows }: Count, intervalMs: number): Sender {
  let [all, lastUnixMs] = [0, firstUnixMs];
  const counted = [...flows.values()].map(({ protocol, ports, seen }) => {
    let best = seen.values().next().value!;
    for (const each of seen.values()) {
      all += each.packets;
      if (each.ipBytes > best.ipBytes) best = each;
    }
    lastUnixMs = Math.max(lastUnixMs, best.lastUnixMs);
    return { protocol, ports, ...best };
  });
  const sum = (field: 'packets' | 'ipBytes', of?: IpPacket['protocol']): number =>
    counted.reduce((total, each) => total + (of && each.protocol !== of ? 0 : each[field]), 0);
  const packets = sum('packets');
  return {
    ...{ name, packets, repeatedPackets: all - packets, ipBytes: sum('ipBytes') },
    ...{ tcpBytes: sum('ipBytes', 'tcp'), udpBytes: sum('ipBytes', 'udp') },
    ...{ flows: counted.filter(({ ports }) => ports).length, firstUnixMs, lastUnixMs },
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

export interface TracePiece {
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
