import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { formatWrapper, ip, openNamespaces, runInNamespace, type Command } from '../namespaces.ts';
import { sweepPaths } from './sweepPaths.ts';

/**
 * A real path of three network namespaces, so that packets can be lost where neither end notices:
 *
 *     client ── veth ── router (forwards, shapes, drops) ── veth ── server
 *
 * Dropping on the client's own output hook would be too easy a test: the kernel then answers the socket with EPERM.
 */
export interface RoutedPath {
  readonly serverNamespace: string;
  readonly serverAddress: string;
  /** A program that runs Chromium (or what else) in the client's namespace, for `executablePath`. */
  clientWrapper(executable: string): Promise<string>;
  /** Drops every UDP packet in the router, both ways, without a word to anyone. */
  dropUdp(): Promise<void>;
  passUdp(): Promise<void>;
  /** Packets dropped by `dropUdp` since it was called. */
  droppedPackets(): Promise<number>;
  /** Removes namespaces and files. Safe to call twice. */
  remove(): Promise<void>;
}

export interface PathOptions {
  /** Rate from server to client, by a token bucket in the router. */
  readonly downKbps: number;
}

const CLIENT = { address: '10.77.1.2', gateway: '10.77.1.1' };
const SERVER = { address: '10.77.2.2', gateway: '10.77.2.1' };
/** A bucket of about 20 packets, and 100 ms of queue: a common access link. */
const BUCKET = ['burst', '32kb', 'latency', '100ms'];

/** Builds the path. Needs Linux, iproute2 and nftables. Namespaces of runs that died are swept first. */
export async function createRoutedPath({ downKbps }: PathOptions): Promise<RoutedPath> {
  await openNamespaces();
  await sweepPaths();
  const name = `pitwall-${process.pid}-${(count += 1)}`;
  const [client, router, server] = ['c', 'r', 's'].map((end) => `${name}${end}`) as [string, string, string];
  const folder = await mkdtemp(path.join(tmpdir(), 'pitwall-path-'));
  const remove = async (): Promise<void> => {
    for (const namespace of [client, router, server]) await ip('netns', 'del', namespace).catch(() => {});
    await rm(folder, { recursive: true, force: true });
  };
  try {
    for (const namespace of [client, router, server]) await ip('netns', 'add', namespace);
    await connect(
      { namespace: client, device: 'eth0', ...CLIENT },
      { namespace: router, device: 'toclient' },
    );
    await connect(
      { namespace: server, device: 'eth0', ...SERVER },
      { namespace: router, device: 'toserver' },
    );
    await prepareRouter(router, downKbps);
  } catch (error) {
    await remove();
    throw error;
  }
  return {
    serverNamespace: server,
    serverAddress: SERVER.address,
    clientWrapper: (executable) => writeWrapper(folder, client, executable),
    dropUdp: () =>
      inside(router, 'nft', 'add', 'rule', ...CHAIN, 'meta', 'l4proto', 'udp', 'counter', 'drop'),
    passUdp: () => inside(router, 'nft', 'flush', 'chain', ...CHAIN),
    droppedPackets: () => countDropped(router),
    remove,
  };
}

let count = 0;
const CHAIN = ['inet', 'pitwall', 'forward'];

interface End {
  readonly namespace: string;
  readonly device: string;
}

async function connect(host: End & { address: string; gateway: string }, router: End): Promise<void> {
  const peer = ['peer', 'name', router.device, 'netns', router.namespace];
  await ip('link', 'add', host.device, 'netns', host.namespace, 'type', 'veth', ...peer);
  for (const { namespace, device, address } of [host, { ...router, address: host.gateway }]) {
    await inside(namespace, 'ip', 'address', 'add', `${address}/24`, 'dev', device);
    await inside(namespace, 'ip', 'link', 'set', device, 'up');
    await inside(namespace, 'ip', 'link', 'set', 'lo', 'up');
  }
  await inside(host.namespace, 'ip', 'route', 'add', 'default', 'via', host.gateway);
}

async function prepareRouter(router: string, downKbps: number): Promise<void> {
  await inside(router, 'sh', '-c', 'echo 1 > /proc/sys/net/ipv4/ip_forward');
  const bucket = ['root', 'tbf', 'rate', `${downKbps}kbit`, ...BUCKET];
  await inside(router, 'tc', 'qdisc', 'add', 'dev', 'toclient', ...bucket);
  await inside(router, 'nft', 'add', 'table', 'inet', 'pitwall');
  await inside(router, 'nft', `add chain ${CHAIN.join(' ')} { type filter hook forward priority 0; }`);
}

async function countDropped(router: string): Promise<number> {
  const chain = await runInNamespace(router, 'nft', 'list', 'chain', ...CHAIN);
  return Number(/packets (\d+)/.exec(chain)?.[1] ?? 0);
}

/** Playwright drives the browser over a pipe, so nothing but packets has to cross the namespace. */
async function writeWrapper(folder: string, namespace: string, executable: string): Promise<string> {
  const file = path.join(folder, 'client.sh');
  await writeFile(file, formatWrapper(namespace, executable), { mode: 0o755 });
  return file;
}

const inside = async (namespace: string, ...command: Command): Promise<void> =>
  void (await runInNamespace(namespace, ...command));
