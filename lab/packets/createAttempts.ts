import { ipPacketOf, type IpPacket } from '../../src/network/capture/ipPacket.ts';
import { formatCount, formatSize } from '../../src/shared/format.ts';
import type { ConnectionAttempt } from '../../src/telemetry/packets/packetFacts.ts';
import { finishAttempt, type Side } from './attempt.ts';
import { MAX_PIECES, MAX_PIECES_BYTES, type PieceLimits } from './clientHello.ts';
import { hostsWithH3 } from './dnsAnswers.ts';
import { addToQuic, beginQuic, datagramOf, type QuicAttempt } from './quicAttempt.ts';
import { isLongHeader } from './quicPackets.ts';
import { addToTcp, beginTcp, segmentOf, uncapturedBytes, type TcpAttempt } from './tcpAttempt.ts';

/** Maximum number of attempts of a capture; each needs some kB. */
export const MAX_ATTEMPTS = 20_000;

/** More names than these are not remembered. */
const MAX_NAMES = 10_000;

interface Attempts {
  /** Adds a packet. @throws RangeError where there are more than `MAX_ATTEMPTS` */
  add(atUnixMs: number, packet: IpPacket): void;
  end(): {
    readonly attempts: readonly ConnectionAttempt[];
    readonly h3ByDns: ReadonlyMap<string, number>;
    /** Why packets are missing, a sentence each. */
    readonly lacking: readonly string[];
  };
}

/** Finds the attempts to connect in packets, which come in order of time. Memory grows with the attempts. */
export function createAttempts(): Attempts {
  const state: State = {
    flows: new Map(),
    begun: [],
    unbegun: new Set(),
    shortened: 0,
    h3ByDns: new Map(),
    limits: { leftBytes: MAX_PIECES_BYTES, refused: 0 },
  };
  return {
    add(atUnixMs, packet) {
      if (packet.protocol === 'tcp') addSegment(state, packet, atUnixMs);
      else if (packet.protocol === 'udp') addDatagram(state, packet, atUnixMs);
      else if (packet.protocol === 'icmp') noteUnreachable(state, packet, atUnixMs);
    },
    end: () => ({
      attempts: state.begun.map(({ attempt }) => finishAttempt(attempt)),
      h3ByDns: state.h3ByDns,
      lacking: formatLacking(state),
    }),
  };
}

interface State {
  /** The newest attempt between two addresses and ports, by the packets of its client. */
  readonly flows: Map<string, QuicAttempt | TcpAttempt>;
  readonly begun: (QuicAttempt | TcpAttempt)[];
  /** Connections over TCP whose beginning is not in the capture. */
  readonly unbegun: Set<string>;
  /** Datagrams that look like QUIC's first and were not captured whole. */
  shortened: number;
  readonly h3ByDns: Map<string, number>;
  readonly limits: PieceLimits;
}

type Ends = Pick<IpPacket, 'protocol' | 'source' | 'destination' | 'ports'>;

const keyOf = ({ protocol, source, destination, ports }: Ends, from: Side): string =>
  from === 'client'
    ? `${protocol} ${source} ${ports![0]} ${destination} ${ports![1]}`
    : `${protocol} ${destination} ${ports![1]} ${source} ${ports![0]}`;

function findFlow(state: State, packet: Ends): { flow: QuicAttempt | TcpAttempt; from: Side } | null {
  for (const from of ['client', 'server'] as const) {
    const flow = state.flows.get(keyOf(packet, from));
    if (flow) return { flow, from };
  }
  return null;
}

function begin(state: State, packet: Ends, flow: QuicAttempt | TcpAttempt, from: Side): void {
  if (state.begun.length >= MAX_ATTEMPTS) throw new RangeError(`more than ${MAX_ATTEMPTS} attempts`);
  state.flows.set(keyOf(packet, from), flow);
  state.begun.push(flow);
}

function addSegment(state: State, packet: IpPacket, atUnixMs: number): void {
  const segment = packet.ports && segmentOf(packet);
  if (!segment) return;
  const found = findFlow(state, packet);
  const tcp = found?.flow as TcpAttempt | undefined;
  if (tcp && addToTcp(tcp, packet, { segment, atUnixMs, from: found!.from })) return;
  const begun = beginTcp(packet, segment, { atUnixMs, limits: state.limits });
  if (begun) begin(state, packet, begun, begun.attempt.startUnixMs === null ? 'server' : 'client');
  else if (state.unbegun.size < MAX_ATTEMPTS) {
    const [one, other] = [keyOf(packet, 'client'), keyOf(packet, 'server')];
    state.unbegun.add(one < other ? one : other);
  }
}

const DNS_PORT = 53;

function addDatagram(state: State, packet: IpPacket, atUnixMs: number): void {
  if (!packet.ports) return;
  const datagram = datagramOf(packet);
  if (packet.ports[0] === DNS_PORT) return noteH3(state, datagram, atUnixMs);
  const found = findFlow(state, packet);
  const quic = found?.flow as QuicAttempt | undefined;
  if (quic && addToQuic(quic, packet, { datagram, atUnixMs, from: found!.from })) return;
  const begun = beginQuic(packet, datagram, { atUnixMs, limits: state.limits });
  const isWhole = packet.transport.byteLength === packet.transportBytes;
  if (begun) begin(state, packet, begun, 'client');
  else if (!isWhole && isLongHeader(datagram)) state.shortened += 1;
}

function noteH3({ h3ByDns }: State, message: Buffer, atUnixMs: number): void {
  for (const host of hostsWithH3(message))
    if (!h3ByDns.has(host) && h3ByDns.size < MAX_NAMES) h3ByDns.set(host, atUnixMs);
}

const ICMP_HEADER_BYTES = 8;
const TOO_LONG = 4;

/** "Destination unreachable" of ICMP (RFC 792), but for a packet that is too long for a link, and of ICMPv6 (RFC 4443). */
const isUnreachable = ({ source, transport }: IpPacket): boolean =>
  source.includes(':')
    ? transport.getUint8(0) === 1
    : transport.getUint8(0) === 3 && transport.getUint8(1) !== TOO_LONG;

/** ICMP quotes the beginning of the packet that it is about. */
function noteUnreachable(state: State, packet: IpPacket, atUnixMs: number): void {
  const { transport } = packet;
  if (transport.byteLength < ICMP_HEADER_BYTES || !isUnreachable(packet)) return;
  const from = transport.byteOffset + ICMP_HEADER_BYTES;
  const bytes = new Uint8Array(transport.buffer, from, transport.byteLength - ICMP_HEADER_BYTES);
  const captured = { atUnixMs, linkType: RAW_IP, interfaceNumber: 0, bytes, lengthBytes: bytes.length };
  const quoted = ipPacketOf(captured);
  const flow = quoted?.ports && state.flows.get(keyOf(quoted, 'client'));
  if (flow) flow.attempt.unreachableUnixMs ??= atUnixMs;
}

const RAW_IP = 101;

function formatLacking({ begun, unbegun, shortened, limits: { refused } }: State): string[] {
  const uncaptured = begun.reduce((sum, flow) => sum + ('isTls' in flow ? uncapturedBytes(flow) : 0), 0);
  const beginnings = begun.filter(({ attempt }) => attempt.startUnixMs === null).length;
  return [
    uncaptured > 0 &&
      `It lacks packets: ${formatSize(uncaptured)} over TCP were acknowledged that are not in it.`,
    beginnings > 0 && `It lacks the first packet of ${formatCount(beginnings, 'attempt')} to connect.`,
    unbegun.size > 0 && `${formatCount(unbegun.size, 'connection')} over TCP began before it.`,
    shortened > 0 &&
      `It has only the beginning of ${formatCount(shortened, 'packet')} of QUIC: capture whole packets (tcpdump -s 0).`,
    refused > 0 &&
      `What ${formatCount(refused, 'attempt')} offered was not read: a ClientHello in more than ${MAX_PIECES} pieces, or more than ${formatSize(MAX_PIECES_BYTES)} of unfinished ones.`,
  ].filter((sentence) => sentence !== false);
}
