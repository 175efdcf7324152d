import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Limit, Profile } from '../../src/network/profile.ts';
import { USUAL_MTU_BYTES } from '../../src/shared/units.ts';
import { enterHolder, formatWrapper, ip, openNamespaces, type Command } from '../namespaces.ts';
import { requireTool } from '../tools.ts';
import type {
  AddressChange,
  LimitChange,
  Link,
  MtuChange,
  PathMtu,
  PreparedLink,
  UdpPortChange,
} from './link.ts';
import { createLimitQueue, type LimitQueue, queuedTransports } from './limitQueue.ts';
import {
  changeClientAddress,
  createPacketFilter,
  createUdpNat,
  holdPackets,
  loseAddress,
  type LostAddress,
  setController,
  useAddresses,
  waitUntilAnswering,
  waitUntilSettled,
  type Controller,
  type LinkEnd,
  type Policed,
} from './linkEnd.ts';
import { linkEvents, playEvents } from './linkEvents.ts';
import { linkMissing } from './linkMissing.ts';
import { needsRouters, prepareRouter, setPathMtu } from './pathMtu.ts';
import { rattanConfig } from './rattanConfig.ts';
import { resolvingBy } from './resolvingBy.ts';
import { startRattan, type RattanProcess } from './rattanProcess.ts';
import { linkName, removeNamespace, sweepLinks } from './sweepLinks.ts';

const NEVER = new Promise<never>(() => {});

interface LinkOptions {
  readonly profile: Profile;
  /** Seed of the random losses: one seed always loses the same packets, counted in the order in which they come. */
  readonly seed: number;
}

/**
 * Starts an emulated link and resolves when a packet has gone there and back. What dead runs left is swept first.
 * @throws Error with one sentence when the machine cannot, or the link does not answer.
 */
export async function createLink(options: LinkOptions): Promise<Link> {
  const prepared = await prepareLink(options);
  return prepared.begin().catch(async (error: unknown) => {
    await prepared.remove();
    throw error;
  });
}

/**
 * Prepares an emulated link that no packet has crossed yet: servers and browsers can be started at its ends before its profile
 * begins. @throws Error with one sentence when the machine cannot
 */
export async function prepareLink({ profile, seed }: LinkOptions): Promise<PreparedLink> {
  const missing = linkMissing();
  if (missing) throw new Error(`${missing}.`);
  await openNamespaces();
  await sweepLinks();
  const name = linkName(process.pid, (count += 1));
  const folder = await mkdtemp(path.join(tmpdir(), `${name}-`));
  const ends = { folder, client: end(`${name}c`, CLIENT_ADDRESS), server: end(`${name}s`, SERVER_ADDRESS) };
  const undo: (() => Promise<void>)[] = [() => rm(folder, { recursive: true, force: true })];
  try {
    for (const [file, text] of Object.entries(rattanConfig(profile, { folder, seed })))
      await writeFile(path.join(folder, file), text);
    const rattan = await startRattan(requireTool('rattan'), path.join(folder, 'link.toml'));
    undo.push(() => rattan.stop());
    undo.push(() => removeNames(ends));
    await attach(ends, rattan);
    await useAddresses([ends.client, ends.server]);
    const queues = await createQueues(profile, ends);
    if (needsRouters(profile)) for (const each of [ends.client, ends.server]) await prepareRouter(each);
    const release = await holdPackets([ends.client, ends.server]);
    return prepared(
      { profile, seed, client: ends.client, server: ends.server },
      { folder, rattan, queues, release, undo },
    );
  } catch (error) {
    await undoAll(undo);
    throw error;
  }
}

let count = 0;
/** All links have these addresses, which are seen only in their namespaces. */
const CLIENT_ADDRESS = '198.51.100.1';
const SERVER_ADDRESS = '203.0.113.1';
const end = (namespace: string, address: string): LinkEnd => ({ namespace, address });

interface Making {
  readonly folder: string;
  readonly rattan: RattanProcess;
  readonly queues: Queues;
  release(): Promise<void>;
  readonly undo: (() => Promise<void>)[];
}

/** Queues of the limited transports, towards the client (`down`) and towards the server (`up`). */
type Queues = ReadonlyMap<Policed, { readonly down: LimitQueue; readonly up: LimitQueue }>;

async function createQueues(profile: Profile, { client, server }: Ends): Promise<Queues> {
  const queues: [Policed, { down: LimitQueue; up: LimitQueue }][] = [];
  for (const policed of queuedTransports(profile)) {
    const [down, up] = [await createLimitQueue(client, policed), await createLimitQueue(server, policed)];
    queues.push([policed, { down, up }]);
  }
  return new Map(queues);
}

type About = Pick<Link, 'profile' | 'seed' | 'client' | 'server'>;

function prepared(about: About, { folder, ...making }: Making): PreparedLink {
  const { client, server } = about;
  let removed = false;
  const link = {
    ...about,
    ended: making.rattan.gone.then((last) =>
      removed ? NEVER : `the emulated link ended too early (${last})`,
    ),
    clientWrapper: async (executable: string, { asksDns = false } = {}) => {
      await waitUntilSettled(client);
      const command: Command = asksDns
        ? await resolvingBy(server.address, { folder, executable })
        : [executable];
      const file = path.join(folder, asksDns ? 'client-dns.sh' : 'client.sh');
      // Playwright drives a browser over a pipe, so only packets cross the border.
      await writeFile(file, formatWrapper(client.namespace, ...command), { mode: 0o755 });
      return file;
    },
    useController: (which: 'client' | 'server', controller: Controller) =>
      which === 'server'
        ? setController(server, client, controller)
        : setController(client, server, controller),
    remove: async () => {
      removed = true;
      await undoAll(making.undo);
    },
  };
  return { ...link, begin: () => begin(link, making) };
}

async function begin(
  link: Omit<PreparedLink, 'begin'>,
  { rattan, queues, release, undo }: Omit<Making, 'folder'>,
): Promise<Link> {
  const { profile, client, server } = link;
  const { limit, ...limits } = await createLimits({ client, server }, queues);
  await release();
  await waitUntilAnswering(client, server);
  const startedAtUnixMs = await rattan.firstPacket;
  const path = createPathChanges({ client, server });
  const events = playEvents(linkEvents(profile), startedAtUnixMs, (event) => {
    switch (event.kind) {
      case 'no-address':
        return path.loseAddress();
      case 'new-address':
        return path.changeAddress();
      case 'new-udp-ports':
        return path.changeUdpPorts();
      case 'mtu':
        return path.changeMtu(event.mtu);
      default:
        return limit(event.kind, event.limit?.kbps ?? null, moreOf(event.limit));
    }
  });
  undo.push(() => Promise.resolve(events.stop()));
  return {
    ...link,
    ...path,
    ...limits,
    startedAtUnixMs,
    limit,
    failed: Promise.race([link.ended, events.failed]),
    emulatorPid: rattan.pid,
    busyDrops: () => rattan.busyDrops(),
  };
}

const moreOf = (limit: Limit | null): Omit<Limit, 'kbps'> => (limit ? withoutRate(limit) : {});
const withoutRate = ({ kbps: _, ...more }: Limit): Omit<Limit, 'kbps'> => more;

type BothEnds = Pick<Link, 'client' | 'server'>;

async function createLimits(
  { client, server }: BothEnds,
  queues: Queues,
): Promise<Pick<Link, 'limit' | 'udpChanges' | 'tcpChanges'>> {
  const filter = await createPacketFilter(client, server);
  const changes: Record<Policed, LimitChange[]> = { udp: [], tcp: [] };
  const limit = oneByOne(
    async (policed: Policed, kbps: number | null, { upKbps, queueMs }: Omit<Limit, 'kbps'> = {}) => {
      const more = { ...(upKbps !== undefined && { upKbps }), ...(queueMs !== undefined && { queueMs }) };
      const queue = queues.get(policed);
      if (queueMs !== undefined && !queue) throw new Error(`the profile of the link queues no ${policed}`);
      const rateOf = (rate: number | null = null): { kbps: number; queueMs: number } | null =>
        rate === null || queueMs === undefined || kbps === 0 ? null : { kbps: rate, queueMs };
      await queue?.down.set(rateOf(kbps));
      await queue?.up.set(rateOf(upKbps));
      await filter.limit(policed, kbps === null ? null : { kbps, ...more });
      changes[policed].push({ atUnixMs: Date.now(), kbps, ...more });
    },
  );
  return { limit, udpChanges: changes.udp, tcpChanges: changes.tcp };
}

type PathChanges =
  | 'loseAddress'
  | 'changeAddress'
  | 'addressChanges'
  | 'changeUdpPorts'
  | 'udpPortChanges'
  | 'changeMtu'
  | 'mtuChanges';

function createPathChanges({ client, server }: BothEnds): Pick<Link, PathChanges> {
  const addressChanges: AddressChange[] = [];
  const udpPortChanges: UdpPortChange[] = [];
  const mtuChanges: MtuChange[] = [];
  let mtu: PathMtu | null = null;
  const nat = createUdpNat(client, server);
  let lost: (LostAddress & { readonly atUnixMs: number }) | null = null;
  // The time of a change is taken before the change is made: a browser reacts to it afterwards.
  const changeTo = oneByOne(async (address: 'none' | 'another') => {
    const atUnixMs = Date.now();
    if (address === 'none') {
      lost ??= { ...(await loseAddress(client)), atUnixMs };
      return;
    }
    const next = await changeClientAddress(client, lost);
    addressChanges.push({ atUnixMs, address: next, ...(lost && { lostAtUnixMs: lost.atUnixMs }) });
    // A device that loses its last address loses the routes of all tables.
    if (lost !== null && mtu !== null) await setPathMtu(client, mtu);
    lost = null;
  });
  return {
    addressChanges,
    udpPortChanges,
    mtuChanges,
    loseAddress: () => changeTo('none'),
    changeAddress: () => changeTo('another'),
    changeUdpPorts: oneByOne(async () => {
      const atUnixMs = Date.now();
      udpPortChanges.push({ atUnixMs, flows: await nat.changePorts() });
    }),
    changeMtu: oneByOne(async (next: PathMtu | null) => {
      mtuChanges.push({ atUnixMs: Date.now(), ...(next ?? { bytes: USUAL_MTU_BYTES }) });
      mtu = next;
      for (const each of [client, server]) await setPathMtu(each, next);
    }),
  };
}

type Ends = Pick<Link, 'client' | 'server'> & { readonly folder: string };
const open = new Set<Ends>();
// Rattan ends with this process; names and files would stay until the next sweep.
process.on('exit', () => {
  for (const { client, server, folder } of open) {
    for (const { namespace } of [client, server]) {
      const [program, ...args] = enterHolder('ip', 'netns', 'del', namespace);
      spawnSync(program, args);
    }
    rmSync(folder, { recursive: true, force: true });
  }
});

async function attach(ends: Ends, { pids }: RattanProcess): Promise<void> {
  open.add(ends);
  await ip('netns', 'attach', ends.client.namespace, String(pids.client));
  await ip('netns', 'attach', ends.server.namespace, String(pids.server));
}

async function removeNames(ends: Ends): Promise<void> {
  open.delete(ends);
  await removeNamespace(ends.client.namespace);
  await removeNamespace(ends.server.namespace);
}

/** Undoes all steps in reverse: the last thing that was made goes first. */
async function undoAll(undo: (() => Promise<void>)[]): Promise<void> {
  for (let step = undo.pop(); step; step = undo.pop()) await step();
}

/** Wraps a function so that calls that overlap are made in turn. */
function oneByOne<T extends unknown[]>(call: (...args: T) => Promise<void>): (...args: T) => Promise<void> {
  let last = Promise.resolve();
  return (...args) => {
    const next = last.then(() => call(...args));
    last = next.catch(() => {});
    return next;
  };
}
