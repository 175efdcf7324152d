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
  /** Bytes of IP in each interval from the first packet on; the last interval ends after the last packet. */
  readonly bytesByInterval: readonly number[];
}

export interface FlowRates {
  add(atUnixMs: number, packet: IpPacket): void;
  /** By bytes, most first. */
  senders(): Sender[];
}

/** Of a capture that spans so many intervals the clock is wrong, or the interval is. */
export const MAX_INTERVALS = 1_000_000;

/**
 * Counts what comes from these addresses, all of it together; or without addresses, what each address sends to each other one.
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
      if (name === null) return;
      const count = counts.get(name) ?? startCount(atUnixMs);
      counts.set(name, count);
      addTo(count, packet, { atUnixMs, intervalMs });
    },
    senders: () =>
      [...counts]
        .map(([name, count]) => senderOf(name, count, intervalMs))
        .sort((one, other) => other.ipBytes - one.ipBytes || (one.name < other.name ? -1 : 1)),
  };
}

interface Count {
  packets: number;
  ipBytes: number;
  tcpBytes: number;
  udpBytes: number;
  lastUnixMs: number;
  readonly firstUnixMs: number;
  readonly flows: Set<string>;
  readonly byInterval: Map<number, number>;
}

const startCount = (atUnixMs: number): Count => ({
  ...{ packets: 0, ipBytes: 0, tcpBytes: 0, udpBytes: 0, firstUnixMs: atUnixMs, lastUnixMs: atUnixMs },
  ...{ flows: new Set(), byInterval: new Map() },
});

function addTo(
  count: Count,
  { source, destination, protocol, ports, ipBytes }: IpPacket,
  { atUnixMs, intervalMs }: { readonly atUnixMs: number; readonly intervalMs: number },
): void {
  count.packets += 1;
  count.ipBytes += ipBytes;
  if (protocol === 'tcp') count.tcpBytes += ipBytes;
  if (protocol === 'udp') count.udpBytes += ipBytes;
  if (ports) count.flows.add(`${protocol} ${source} ${ports[0]} ${destination} ${ports[1]}`);
  count.lastUnixMs = Math.max(count.lastUnixMs, atUnixMs);
  // Captures of several cards are not quite in order of time.
  const interval = Math.max(0, Math.floor((atUnixMs - count.firstUnixMs) / intervalMs));
  if (interval >= MAX_INTERVALS) throw new RangeError(`more than ${MAX_INTERVALS} intervals`);
  count.byInterval.set(interval, (count.byInterval.get(interval) ?? 0) + ipBytes);
}

function senderOf(name: string, { flows, byInterval, ...count }: Count, intervalMs: number): Sender {
  const intervals = Math.floor((count.lastUnixMs - count.firstUnixMs) / intervalMs) + 1;
  const bytesByInterval = Array.from({ length: intervals }, (_, place) => byInterval.get(place) ?? 0);
  return { name, ...count, flows: flows.size, bytesByInterval };
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
  { bytesByInterval }: Pick<Sender, 'bytesByInterval'>,
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
