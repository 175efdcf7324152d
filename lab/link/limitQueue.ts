import type { Limit, Profile } from '../../src/network/profile.ts';
import { limitQueueBytes } from '../../src/network/udpPath.ts';
import { runInNamespace } from '../namespaces.ts';
import { requireTool } from '../tools.ts';
import { ipBatch, linkDevice, type LinkEnd, matchOf, nft, type Policed, writeSettings } from './linkEnd.ts';

/** Rate of a limit in one direction, and the longest wait. */
type Rate = Required<Pick<Limit, 'kbps' | 'queueMs'>>;

/** A queue for what comes to one end over one transport. */
export interface LimitQueue {
  /** Sets the rate and the longest wait of a packet; null: no packet waits any more, and those that wait come at once. */
  set(rate: Rate | null): Promise<void>;
}

/** Returns the transports that a profile limits with a queue at some time. */
export const queuedTransports = ({ udp = [], tcp = [] }: Pick<Profile, 'udp' | 'tcp'>): Policed[] => [
  ...(udp.some(({ queueMs }) => queueMs !== undefined) ? (['udp'] as const) : []),
  ...(tcp.some(({ queueMs }) => queueMs !== undefined) ? (['tcp'] as const) : []),
];

/** Suffix of a queue's second device: packets that leave it were counted on the link already (`receivedWireBytes`). */
export const QUEUED_SUFFIX = '-queued';

/** A packet's Ethernet header, which Rattan's rates do not count. */
const HEADER_BYTES = 14;
/** The rate of a limit that is over: what waits comes at once, and in its order. */
const OPEN = ['rate', '10gbit', 'burst', '1mb', 'limit', '10mb'];

/**
 * Makes the devices of a queue; nothing goes through them yet. They have no address, and a browser that is started later does
 * not see a change of its network when the queue begins.
 *
 *     link ─→ ingress: other transports ─────────────────────────────→ IP
 *                └ copy ─→ udp-queue: token bucket ─→ udp-queued ───────┘
 *
 * The hook copies each packet and drops the first one: a packet that waits counts in the send buffer of the socket that sent
 * it, here Rattan's, which would be full after some 90 packets and then hold up the whole link. The copy has no socket.
 *
 * @throws Error in one sentence when the machine cannot
 */
export async function createLimitQueue(end: LinkEnd, policed: Policed): Promise<LimitQueue> {
  const [into, out] = [`${policed}-queue`, `${policed}${QUEUED_SUFFIX}`];
  const device = await linkDevice(end);
  await ipBatch(end, [
    `link add ${into} type veth peer name ${out}`,
    // The device has the link's hardware address: a packet that is sent to another address is not taken.
    `link set ${out} address ${await hardwareAddress(end, device)}`,
    ...[into, out].flatMap((name) => [`link set ${name} addrgenmode none`, `link set ${name} up`]),
  ]);
  // The way back is over another device, which a strict reverse path filter refuses.
  const loose = `for each in all ${out}; do echo 0 > /proc/sys/net/ipv4/conf/$each/rp_filter; done`;
  await writeSettings(end, loose);
  await setBucket(end, into, null).catch((error: unknown) => {
    throw new Error(`a limit with a queue needs tc and its token bucket (sch_tbf): ${String(error)}`);
  });
  let isUsed = false;
  return {
    async set(rate) {
      if (rate === null && !isUsed) return;
      await setBucket(end, into, rate);
      if (!isUsed) await nft(end, divertRules(policed, { device, into }));
      isUsed = true;
    },
  };
}

async function hardwareAddress({ namespace }: LinkEnd, device: string): Promise<string> {
  const shown = await runInNamespace(namespace, 'ip', '-json', 'link', 'show', 'dev', device);
  const [link] = JSON.parse(shown) as { readonly address: string }[];
  if (!link) throw new Error(`${namespace} has no device ${device}`);
  return link.address;
}

/** Sets the token bucket of a device (tc-tbf(8)). `stab` counts packets without their Ethernet headers. */
async function setBucket({ namespace }: LinkEnd, device: string, rate: Rate | null): Promise<void> {
  const size = ['stab', 'overhead', String(-HEADER_BYTES)];
  const bucket = rate === null ? OPEN : bucketOf(rate);
  const qdisc = ['qdisc', 'replace', 'dev', device, 'root', 'handle', '1:', ...size, 'tbf', ...bucket];
  await runInNamespace(namespace, requireTool('tc'), ...qdisc);
}

const bucketOf = ({ kbps, queueMs }: Rate): string[] => [
  ...['rate', `${Math.round(kbps * 1000)}bit`, 'burst', String(bucketBytes(kbps))],
  ...['limit', String(limitQueueBytes(kbps, queueMs))],
];

/** Returns the size of the burst that passes without waiting: two full packets, or 4 ms of the rate. */
const bucketBytes = (kbps: number): number => Math.max(3000, Math.round(kbps / 2));

function divertRules(policed: Policed, { device, into }: { device: string; into: string }): string {
  const table = `netdev pitwall_queue_${policed}`;
  return [
    `add table ${table}`,
    `add chain ${table} in { type filter hook ingress device "${device}" priority 0; }`,
    `add rule ${table} in ${matchOf(policed)} dup to "${into}" drop`,
  ].join('; ');
}
