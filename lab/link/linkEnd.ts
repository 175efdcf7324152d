import { setTimeout as pause } from 'node:timers/promises';
import type { Limit } from '../../src/network/profile.ts';
import { policerBurstBytes } from '../../src/network/udpPath.ts';
import { enterNamespace, runCommand, runInNamespace } from '../namespaces.ts';

/** One end of an emulated link: a network namespace. What is done inside it stands below, one concern after the other. */
export interface LinkEnd {
  /** For `enterNamespace`. */
  readonly namespace: string;
  /** At the start; the client's may change. */
  readonly address: string;
}

export async function nft({ namespace }: LinkEnd, commands: string): Promise<void> {
  await runInNamespace(namespace, 'nft', commands);
}

const ip = ({ namespace }: LinkEnd, ...args: string[]): Promise<string> =>
  runInNamespace(namespace, 'ip', ...args);

/** One process for all commands of ip(8): nothing happens between them. */
export async function ipBatch({ namespace }: LinkEnd, commands: readonly string[]): Promise<void> {
  await runInNamespace(namespace, 'sh', '-c', 'printf %s "$0" | ip -batch -', `${commands.join('\n')}\n`);
}

/**
 * Runs a shell script that writes settings of an end into `/proc/sys/net`. In a container this is mounted read-only, which root
 * may change: `ip netns exec` has mounts of its own, so that nobody else sees the change. @throws Error when it cannot
 */
export async function writeSettings({ namespace }: LinkEnd, script: string): Promise<void> {
  await runInNamespace(namespace, 'sh', '-c', `${ALLOW_WRITING}; ${script}`);
}

const ALLOW_WRITING =
  '[ -w /proc/sys/net/ipv4/ip_forward ] || mount -o remount,bind,rw /proc/sys 2> /dev/null';

/** The device of an end that leads over the link. @throws Error when it has no address */
export const linkDevice = async (end: LinkEnd): Promise<string> => (await addressOf(end)).device;

async function addressOf(end: LinkEnd): Promise<{ device: string; address: string }> {
  const now = await ip(end, '-oneline', '-4', 'address', 'show', 'scope', 'global');
  const [, device, address] = /^\d+: (\S+)\s+inet ([\d.]+)/m.exec(now) ?? [];
  if (!device || !address) throw new Error(`${end.namespace} has no address: ${now.trim()}`);
  return { device, address };
}

/** How TCP sends. Nearest to quic-go's paced Reno is `{ name: 'reno', initialWindowPackets: 32 }`. */
export interface Controller {
  /** Kernel's name of the controller: `reno`, `cubic`, `bbr`; null: what each socket asks for, which a route would overrule. */
  readonly name: string | null;
  readonly initialWindowPackets: number;
}

/** Sets both on the two routes that lead over the link (ip-route(8)): the client's later addresses take the default one. */
export async function setController(from: LinkEnd, to: LinkEnd, controller: Controller): Promise<void> {
  const route = (...args: string[]) => ip(from, 'route', ...args);
  const shown = await route('show', to.address);
  const device = /\bdev (\S+)/.exec(shown)?.[1];
  if (!device) throw new Error(`${from.namespace} has no route to ${to.address}: ${shown.trim()}`);
  const { name, initialWindowPackets } = controller;
  const how = [...(name === null ? [] : ['congctl', name]), 'initcwnd', String(initialWindowPackets)];
  // The routes have Rattan's protocol and scope: with others they would be further routes beside the old ones.
  await route('replace', to.address, 'dev', device, 'proto', 'static', 'scope', 'link', ...how);
  await route('replace', 'default', 'via', to.address, 'dev', device, 'proto', 'static', ...how);
}

/** Last part of an address that follows the first one, `.1`. */
const FIRST = 2;
const LAST = 254;

/** What an end without an address had, and needs again with the next one. */
export interface LostAddress {
  readonly device: string;
  readonly address: string;
  /** Routes in the form that ip(8) shows and takes. */
  readonly routes: readonly string[];
  /** The hardware address of the other end: nobody on the link answers a question for it. */
  readonly neighbours: readonly string[];
}

/**
 * Takes the address of an end away, and gives it no other one: nothing can be sent or received. With the last address
 * of a device the kernel removes its routes and neighbours.
 */
export async function loseAddress(end: LinkEnd): Promise<LostAddress> {
  const { device, address } = await addressOf(end);
  const routes = (await ip(end, 'route', 'show', 'dev', device)).split('\n').filter(Boolean);
  const shown = await ip(end, '-4', 'neighbour', 'show', 'dev', device, 'nud', 'permanent');
  const neighbours = shown.split('\n').flatMap((line) => /^\S+ lladdr \S+/.exec(line)?.[0] ?? []);
  await ip(end, 'address', 'del', `${address}/32`, 'dev', device);
  return { device, address, routes, neighbours };
}

/**
 * Gives the ends of a new link their addresses, which are those of documentation (RFC 5737), in place of Rattan's, which are
 * private (rattan-env, env.rs): Firefox makes no fallback connection to a private address.
 */
export async function useAddresses(ends: readonly [LinkEnd, LinkEnd]): Promise<void> {
  const [client, server] = ends;
  const old = [await loseAddress(client), await loseAddress(server)] as const;
  for (const [end, lost, other] of [
    [client, old[0], { was: old[1].address, is: server.address }],
    [server, old[1], { was: old[0].address, is: client.address }],
  ] as const) {
    const routes = restored(lost).map((command) => command.replaceAll(other.was, other.is));
    await ipBatch(end, [`address add ${end.address}/32 dev ${lost.device}`, ...routes]);
  }
}

/**
 * Gives the client's end another address and takes the old one away, as a phone that leaves its WiFi; `lost`: what it has lost
 * before. What is sent to the old one reaches nobody. Replies to the new one take the server's default route, which leads
 * over the link.
 */
export async function changeClientAddress(client: LinkEnd, lost: LostAddress | null = null): Promise<string> {
  const { device, address } = lost ?? (await addressOf(client));
  const next = nextAddress(address);
  const add = `address add ${next}/32 dev ${device}`;
  // What is connected between the two would have the old address.
  const commands = lost ? restored(lost) : [`address del ${address}/32 dev ${device}`];
  await ipBatch(client, [add, ...commands]);
  return next;
}

const restored = ({ device, routes, neighbours }: LostAddress): string[] => [
  ...neighbours.map((each) => `neighbour replace ${each} dev ${device} nud permanent`),
  ...inOrder(routes).map((route) => `route replace ${route.trim()} dev ${device}`),
];

/** A route over a gateway can only be made when that can be reached. */
const inOrder = (routes: readonly string[]): string[] =>
  [...routes].sort((one, other) => Number(one.includes(' via ')) - Number(other.includes(' via ')));

function nextAddress(address: string): string {
  const last = Number(address.split('.').at(-1));
  const network = address.slice(0, address.lastIndexOf('.'));
  return `${network}.${last < FIRST || last >= LAST ? FIRST : last + 1}`;
}

const NAT_TABLE = 'ip pitwall_nat';
/** A NAT here gives ports from this one on: Linux gives sockets those from 32768 on, so none is given twice. */
const FIRST_NAT_PORT = 20_000;
const NAT_PORTS = 12_000;

/** A NAT of the client's end that changes nothing yet. */
interface UdpNat {
  /**
   * Gives each UDP flow to the server another port. What still comes to the port before reaches nobody, as behind a NAT that
   * has forgotten it. Flows that begin later keep their own port. Returns how many were changed.
   */
  changePorts(): Promise<number>;
}

/**
 * Rewrites ports in the packets, without any state in the kernel: its own NAT keeps a flow where it is, for as long as it
 * lives.
 */
export function createUdpNat(client: LinkEnd, server: LinkEnd): UdpNat {
  let count = 0;
  const nextPort = (): number => FIRST_NAT_PORT + (count++ % NAT_PORTS);
  /** By port of a socket that is open: the ports that its flow had, oldest first. */
  let given: ReadonlyMap<number, readonly number[]> = new Map();
  return {
    async changePorts() {
      const ports = await udpPorts(client, server);
      given = new Map(ports.map((port) => [port, [...(given.get(port) ?? [port]), nextPort()]]));
      await nft(client, natRules(given, server));
      return ports.length;
    },
  };
}

/** The client's ports of UDP sockets that are connected to the server. */
async function udpPorts(client: LinkEnd, server: LinkEnd): Promise<number[]> {
  const sockets = await runInNamespace(client.namespace, 'ss', '-H', '-u', '-n');
  return sockets.split('\n').flatMap((line) => {
    const [peer, own] = line.trim().split(/\s+/).reverse();
    const port = Number(own?.split(':').at(-1));
    return peer !== undefined && isAt(peer, server.address) ? [port] : [];
  });
}

/** `203.0.113.1:443`, or `[::ffff:203.0.113.1]:443` of a socket for both versions of IP. */
const isAt = (peer: string, address: string): boolean =>
  peer.startsWith(`${address}:`) || peer.includes(`:${address}]:`);

function natRules(given: ReadonlyMap<number, readonly number[]>, { address }: LinkEnd): string {
  const rules = [...given].flatMap(([port, ports]) => {
    const present = ports.at(-1)!;
    const old = ports.slice(0, -1);
    return [
      `add rule ${NAT_TABLE} in ip saddr ${address} udp dport { ${old.join(', ')} } counter drop`,
      `add rule ${NAT_TABLE} in ip saddr ${address} udp dport ${present} udp dport set ${port}`,
      `add rule ${NAT_TABLE} out ip daddr ${address} udp sport ${port} udp sport set ${present}`,
    ];
  });
  // One transaction: no moment without rules.
  return [
    `add table ${NAT_TABLE}`,
    `add chain ${NAT_TABLE} in { type filter hook prerouting priority -300; }`,
    `add chain ${NAT_TABLE} out { type filter hook postrouting priority 300; }`,
    `flush table ${NAT_TABLE}`,
    ...rules,
  ].join('; ');
}

const HOLD_TABLE = 'inet pitwall_hold';

/**
 * Lets no packet out of either end until it is released: a browser that has just started asks for names and looks about
 * in its network, and the first packet of all begins the link's profile.
 */
export async function holdPackets(ends: readonly LinkEnd[]): Promise<() => Promise<void>> {
  const rule = `add rule ${HOLD_TABLE} out oifname != "lo" drop`;
  const hold = `add table ${HOLD_TABLE}; add chain ${HOLD_TABLE} out { type filter hook output priority 0; }; ${rule}`;
  for (const end of ends) await nft(end, hold);
  return async () => {
    for (const end of ends) await nft(end, `delete table ${HOLD_TABLE}`);
  };
}

/** What can be limited alone. */
export type Policed = 'udp' | 'tcp';

/**
 * What befalls one transport at the ends of the link, where packets come in: no sender ever learns of it. (A drop on the
 * way out would fail at the socket with EPERM.)
 */
interface PacketFilter {
  /** null lets all packets of the transport pass. What a limit queues is not its affair (`limitQueue.ts`). */
  limit(policed: Policed, limit: Limit | null): Promise<void>;
}

const TABLE = 'inet pitwall';
/** nft has words of its own, `udp` among them. */
const chainOf = (policed: Policed): string => `${TABLE} limit_${policed}`;

export async function createPacketFilter(client: LinkEnd, server: LinkEnd): Promise<PacketFilter> {
  const hooks = (['udp', 'tcp'] as const).map(
    (policed) => `add chain ${chainOf(policed)} { type filter hook input priority 0; }`,
  );
  for (const end of [client, server]) await nft(end, [`add table ${TABLE}`, ...hooks].join('; '));
  return {
    limit: async (policed, limit) => {
      const set = async (end: LinkEnd, kbps: number | undefined): Promise<void> => {
        const rule = kbps === undefined ? '' : `; ${ruleOf(policed, kbps)}`;
        // One transaction each: no moment without a rule between two limits.
        await nft(end, `flush chain ${chainOf(policed)}${rule}`);
      };
      const { kbps, upKbps } = (limit?.queueMs === undefined ? limit : null) ?? {};
      const isBlocked = limit?.kbps === 0;
      await set(client, isBlocked ? 0 : kbps);
      await set(server, isBlocked ? 0 : upKbps);
    },
  };
}

/** Matches packets of a transport in rules. DNS is none of it: networks that limit or block UDP let names be asked. */
export const matchOf = (policed: Policed): string =>
  `meta l4proto ${policed} ${policed} sport != ${DNS_PORT} ${policed} dport != ${DNS_PORT}`;

/** Port of DNS servers. */
export const DNS_PORT = 53;

function ruleOf(policed: Policed, kbps: number): string {
  const rule = `add rule ${chainOf(policed)} iifname != "lo" ${matchOf(policed)}`;
  if (kbps === 0) return `${rule} counter drop`;
  const rate = `${Math.round((kbps * 1000) / 8)} bytes/second`;
  return `${rule} limit rate over ${rate} burst ${policerBurstBytes(kbps)} bytes counter drop`;
}

/** An address is tentative for 1 to 2 s: a random delay, then a second without an answer (RFC 4862, section 5.4). */
const SETTLED_TIMEOUT_MS = 10_000;
const SETTLED_POLL_MS = 50;

/**
 * Resolves when every address of an end is its own. The kernel gives an interface that comes up an IPv6 address and then
 * asks whether another node has it. A Chromium that runs when this is over takes it for a change of network and fails what
 * it has begun: ERR_NETWORK_CHANGED, seen 1.0 to 1.3 s after the link was there.
 *
 * @throws Error when it takes too long.
 */
export async function waitUntilSettled({ namespace }: LinkEnd): Promise<void> {
  const untilMs = performance.now() + SETTLED_TIMEOUT_MS;
  for (;;) {
    const tentative = await runInNamespace(namespace, 'ip', '-oneline', 'address', 'show', 'tentative');
    if (tentative.trim() === '') return;
    if (performance.now() > untilMs)
      throw new Error(`${namespace} has an address that stays tentative: ${tentative.trim()}`);
    await pause(SETTLED_POLL_MS);
  }
}

/** Profiles may begin with a large delay, a low rate and loss. */
const ANSWER_TIMEOUT_MS = 30_000;

/** Resolves when the server's end has answered the client's. @throws Error when it does not. */
export async function waitUntilAnswering(client: LinkEnd, server: LinkEnd): Promise<void> {
  const ask = enterNamespace(client.namespace, process.execPath, '-e', ASK, server.address);
  await runCommand(ask, { timeout: ANSWER_TIMEOUT_MS }).catch((error: unknown) => {
    throw new Error(`The emulated link did not answer within ${ANSWER_TIMEOUT_MS / 1000} s.`, {
      cause: error,
    });
  });
}

/** Nobody listens on the discard port: the refusal is the answer. A new question every second, as the first may be lost. */
const ASK = `
const ask = () => require('node:net').connect(9, process.argv[1])
  .on('error', ({ code }) => code === 'ECONNREFUSED' && process.exit(0));
ask();
setInterval(ask, 1000);`;
