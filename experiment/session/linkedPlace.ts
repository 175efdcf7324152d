import { rm } from 'node:fs/promises';
import path from 'node:path';
import { prepareLoad, type BesideLoad } from './besideLoad.ts';
import {
  hasPlayers,
  preparePlayers,
  withPlayers,
  type BesidePlayers,
  type PlayersOptions,
} from './besidePlayers.ts';
import { cellLive, type CellLive, cellOrigin, type CellOrigin } from './cellOrigin.ts';
import { altSvcFor, startSessionResolver } from './discovery.ts';
import { fromHereOn } from './originEvidence.ts';
import type { Place } from './place.ts';
import {
  appFolderOf,
  joinLimitMs,
  ORIGIN_HOST,
  programOf,
  type CompareCell,
  type ComparePlan,
  type RunFacts,
} from './plan.ts';
import { otherRuns } from './lock/machineRuns.ts';
import { during, SessionFailure } from './sessionFailure.ts';
import { sessionFiles } from './sessionFiles.ts';
import { spreadStream, type SpreadStream } from './spreadStream.ts';
import type { Origin } from '../../lab/caddy/origin.ts';
import { startCaddy } from '../../lab/caddy/startCaddy.ts';
import { watchServers } from '../../lab/caddy/watchServers.ts';
import type { Resolver } from '../../lab/dns/startResolver.ts';
import { prepareLink } from '../../lab/link/createLink.ts';
import type { Link, PreparedLink } from '../../lab/link/link.ts';
import { receivedWireBytes } from '../../lab/link/receivedWireBytes.ts';
import { calmFrames } from '../../lab/machine/calmFrames.ts';
import { enterNamespace } from '../../lab/namespaces.ts';
import { watchMachine } from '../../lab/machine/watchMachine.ts';
import type { Profile } from '../../src/network/profile.ts';
import { linkProfile } from '../design/linkProfile.ts';
import { fileOfProfile } from '../design/profileFile.ts';
import type { PlannedLink } from '../design/plan.ts';
import type { SessionLog } from '../../src/telemetry/schema/sessionLog.ts';

type LinkRun = NonNullable<SessionLog['environment']['linkRun']>;

/** Time to stop and to write the log after the session, on a busy machine, ms. */
const AFTERWARDS_MS = 60_000;

/**
 * Opens a place with a link of the session's own:
 *
 *     client namespace: the browser, the page's server (loopback)  ── link ──  server namespace: the origin
 *
 * Everything is started before the first packet crosses the link, so that its lead-in is as long as it says and nothing
 * but media is ever carried.
 */
export async function openLinkedPlace(
  plan: ComparePlan,
  cell: CompareCell,
  planned: PlannedLink,
): Promise<Place> {
  const network = plan.networks.find(({ name }) => name === planned.network);
  if (!network) throw new Error(`${cell.id} is over ${planned.network}, which the plan does not have`);
  const sending = cellOrigin(plan.instrumented, cell);
  const tcp = cell.beside === undefined ? sending.tcp : { ...sending.tcp, name: null };
  const lastingMs = lastingMsOf(plan, cell);
  const profile = linkProfile(network.profile, planned, lastingMs);
  const link = await during('link-did-not-answer', prepare(profile, { seed: planned.seed, tcp }));
  const servers: Pick<Origin, 'stop'>[] = [];
  const accessLogs = accessFilesOf(plan, cell).map((file) => ({ ...fromHereOn(file), host: null }));
  const leave = async (): Promise<void> => {
    const stopped = await Promise.allSettled(servers.map((server) => server.stop()));
    await link.remove();
    const failed = stopped.find((each) => each.status === 'rejected');
    if (failed) throw failed.reason;
  };
  try {
    const started = await during(
      'origin-did-not-answer',
      startServers(plan, { cell, link, sending }, servers),
    );
    const asksDns = started.resolver !== null;
    const executablePath = await link.clientWrapper(programOf(plan, cell), { asksDns });
    const address = addressOf({ ...started, cell, link, executablePath });
    const facts = {
      link: planned.network,
      ...(network.isFromFile && { profile: fileOfProfile(network.profile) }),
      ...sending.facts,
    };
    const players = await startPlayers({ plan, cell, link, facts, executablePath }, started);
    if (players) servers.push(players);
    const parts = { ...started, run: plan, planned, link, facts, leave, address, players, accessLogs };
    return placeOf({ ...parts, lastingMs, steps: profile.steps });
  } catch (error) {
    await leave();
    throw error;
  }
}

async function prepare(
  profile: Profile,
  { seed, tcp }: Pick<PlannedLink, 'seed'> & Pick<CellOrigin, 'tcp'>,
): Promise<PreparedLink> {
  const link = await prepareLink({ profile, seed });
  for (const end of ['client', 'server'] as const)
    await link.useController(end, tcp).catch(async (error: unknown) => {
      await link.remove();
      throw error;
    });
  return link;
}

/** Returns the access logs of the origin and of its second name. A try appends to what those before it left. */
const accessFilesOf = ({ logDir }: Pick<ComparePlan, 'logDir'>, { id }: CompareCell): [string, string] => [
  path.join(logDir, `${id}.access.jsonl`),
  path.join(logDir, `${id}.tcp.access.jsonl`),
];

/** Returns how long a session lasts at most, from the request to play on, ms. */
const lastingMsOf = ({ seconds }: Pick<ComparePlan, 'seconds'>, cell: CompareCell): number =>
  joinLimitMs(cell) + seconds * 1000 + AFTERWARDS_MS;

interface Servers {
  readonly app: Origin;
  readonly origin: Origin;
  /** Origin under its second name, without HTTP/3; null where nothing is steered. */
  readonly tcpOrigin: Origin | null;
  /** Origin for other viewers, so that logs of the first one have only its own connections; null where there are no others. */
  readonly othersOrigin: Origin | null;
  /** The stream where it comes from several names of the origin; null where it comes from one. */
  readonly spread: SpreadStream | null;
  /** Live stream of the session; null for video on demand. */
  readonly live: CellLive | null;
  /** DNS server of the session's hosts; null: browsers are given their addresses. */
  readonly resolver: Resolver | null;
  /** Load beside the viewer; null: the viewer has the link alone. */
  readonly load: BesideLoad | null;
  /** File of the origin's transport log. Caddy writes nothing into it. */
  readonly transportLogFile: string;
}

async function startServers(
  plan: ComparePlan,
  { cell, link, sending }: { cell: CompareCell; link: PreparedLink; sending: CellOrigin },
  started: Pick<Origin, 'stop'>[],
): Promise<Servers> {
  const { mounts, logDir } = plan;
  const [accessLogFile, tcpAccessLogFile] = accessFilesOf(plan, cell);
  const appFolder = appFolderOf(plan, cell);
  const { client, server } = link;
  const { transportLog: transportLogFile, dns: logFile } = sessionFiles(logDir, cell.id);
  const keep = <Server extends Pick<Origin, 'stop'> | null>(server: Server): Server => {
    if (server) started.push(server);
    return server;
  };
  const live = keep(cell.live ? await cellLive(cell.live, server.namespace) : null);
  const host = `${cell.id}.${ORIGIN_HOST}`;
  const spread = keep(await spreadStream(plan, cell, { host, port: MAIN_PORTS.httpsPort }));
  const load = keep(await loadBeside(plan, cell, link));
  // A try before this one, or a killed run, may have left a log: the origin would append to it.
  await rm(transportLogFile, { force: true });
  const files = { mounts: { ...mounts, ...live?.mounts, ...spread?.mounts } };
  const inServer = { namespace: server.namespace, addresses: [server.address], ...altSvcFor(cell) };
  const [tcpHost, othersHost] = [`tcp.${ORIGIN_HOST}`, `others.${ORIGIN_HOST}`];
  const resolver = keep(
    await startSessionResolver(cell, {
      server,
      logFile,
      names: [
        { host, port: MAIN_PORTS.httpsPort, hasH3: true },
        { host: tcpHost, port: TCP_PORTS.httpsPort, hasH3: false },
        { host: othersHost, port: OTHERS_PORTS.httpsPort, hasH3: true },
      ],
    }),
  );
  const starting = [
    startCaddy({ namespace: client.namespace, addresses: ['127.0.0.1'], mounts: {}, appFolder }),
    sending.start({ ...inServer, ...files, ...MAIN_PORTS, host, accessLogFile }, transportLogFile),
    cell.steering === undefined
      ? null
      : sending.start(
          {
            ...inServer,
            ...files,
            host: tcpHost,
            ...TCP_PORTS,
            protocols: ['h1', 'h2'],
            accessLogFile: tcpAccessLogFile,
          },
          null,
        ),
    hasPlayers(cell)
      ? sending.start({ ...inServer, ...files, host: othersHost, ...OTHERS_PORTS }, null)
      : null,
  ] as const;
  // Both are waited for, so that none is left behind when the other fails.
  for (const each of await Promise.allSettled(starting)) if (each.status === 'fulfilled') keep(each.value);
  const [app, origin, tcpOrigin, othersOrigin] = await Promise.all(starting);
  return { app, origin, tcpOrigin, othersOrigin, spread, live, resolver, load, transportLogFile };
}

/** Prepares the flows of a campaign that has some; faults of a campaign say that the instrumented origin sends them. */
async function loadBeside(
  { instrumented }: ComparePlan,
  { beside }: CompareCell,
  link: PreparedLink,
): Promise<BesideLoad | null> {
  if (!instrumented || beside === undefined) return null;
  return prepareLoad({ load: beside, link, sending: instrumented });
}

const MAIN_PORTS = { httpsPort: 8443, httpPort: 8080 };
/** Ports of the second name, beside those of the first. */
const TCP_PORTS = { httpsPort: 8444, httpPort: 8081 };
const OTHERS_PORTS = { httpsPort: 8445, httpPort: 8082 };

type Address = Pick<Place, 'appUrl' | 'mpdUrl' | 'mediaUrls' | 'tcpUrl' | 'browser'>;

interface Ways extends Pick<Servers, 'app' | 'origin' | 'tcpOrigin' | 'spread' | 'resolver'> {
  readonly cell: CompareCell;
  readonly link: PreparedLink;
  readonly executablePath: string;
}

/** Returns how browsers get to the page and to the stream. */
function addressOf({ app, origin, tcpOrigin, spread, resolver, cell, link, executablePath }: Ways): Address {
  const names = [origin, ...(tcpOrigin ? [tcpOrigin] : [])];
  return {
    appUrl: `${app.httpUrl}/`,
    mpdUrl: `${origin.httpsUrl}${spread?.mpd ?? cell.mpd}`,
    ...(spread && { mediaUrls: spread.mediaUrls }),
    ...(tcpOrigin && { tcpUrl: tcpOrigin.httpsUrl }),
    browser: {
      executablePath,
      enter: (command) => enterNamespace(link.client.namespace, ...command),
      spkiSha256Base64: names.map(({ spki }) => spki).join(','),
      // Names below one's own: transfers over http/1.1 spread requests over several.
      asksDns: resolver !== null,
      hostRules: resolver
        ? null
        : names
            .map(({ host }) => `MAP ${host} ${link.server.address}, MAP *.${host} ${link.server.address}`)
            .join(', '),
    },
  };
}

/** Starts the browsers of other viewers and loads their pages; null where there are no other viewers. */
async function startPlayers(
  { plan, cell, facts, ...about }: Omit<PlayersOptions, 'place'> & Pick<Ways, 'link' | 'executablePath'>,
  { app, othersOrigin, resolver }: Servers,
): Promise<BesidePlayers | null> {
  if (!othersOrigin) return null;
  const place = addressOf({
    app,
    origin: othersOrigin,
    tcpOrigin: null,
    spread: null,
    resolver,
    cell,
    ...about,
  });
  return during('browser-did-not-start', preparePlayers({ plan, cell, facts, place }));
}

interface Parts extends Servers {
  readonly run: RunFacts;
  readonly planned: PlannedLink;
  readonly link: PreparedLink;
  readonly facts: CellOrigin['facts'] & { readonly link: string };
  readonly address: Address;
  readonly accessLogs: NonNullable<Place['accessLogs']>;
  /** Other viewers; null: there are none. */
  readonly players: BesidePlayers | null;
  /** How long the session lasts at most, from the request to play on, ms. */
  readonly lastingMs: number;
  /** Steps of the link's profile. */
  readonly steps: Profile['steps'];
  leave(): Promise<void>;
}

function placeOf({ live, resolver, load, players, planned, link, ...parts }: Parts): Place {
  const { run, address, accessLogs, facts: known, lastingMs, steps, transportLogFile, leave } = parts;
  let running: Link | null = null;
  let watched: Watched | null = null;
  let visitBytes = 0;
  let others: readonly SessionLog[] = [];
  const broken = breakdown();
  void link.ended.then(broken.byLink);
  for (const each of [load, players]) void each?.failed.then(broken.byLoad);
  const serving = watchServers(pidFilesOf(parts));
  for (const down of [serving.down, resolver?.failed]) void down?.then(broken.byServer);
  return {
    ...address,
    accessLogs,
    async ready() {
      running = await during('link-did-not-answer', link.begin());
      void running.failed.then(broken.byLink);
      watched = watch(running, run);
      const playDueAtUnixMs = running.startedAtUnixMs + planned.leadInMs;
      live?.restart(playDueAtUnixMs);
      const endsAtUnixMs = playDueAtUnixMs + lastingMs;
      load?.begin({ startedAtUnixMs: running.startedAtUnixMs, playDueAtUnixMs, endsAtUnixMs });
      players?.begin(playDueAtUnixMs);
      return playDueAtUnixMs;
    },
    visited: () => void (visitBytes = receivedWireBytes(link.client.namespace) ?? 0),
    brokeDown: broken.down,
    async facts(log) {
      const facts = {
        ...known,
        ...(running && { linkRun: linkRunOf(running, planned, visitBytes) }),
        ...watched?.end(calmFrames(log)),
      };
      if (!running || !load) return facts;
      const beside = load.record();
      if (players) others = await during('browser-ended', players.end());
      return { ...facts, beside: withPlayers(beside, others, steps) };
    },
    others: () => others,
    ...(resolver && { dnsQuestions: () => resolver.questions() }),
    ...(known.origin.program === 'instrumented' && {
      transportLog: { file: transportLogFile, fromByte: 0, isShared: false },
    }),
    async leave() {
      serving.stop();
      watched?.end({ decodedFrames: 0, droppedFrames: 0 });
      await leave();
    },
  };
}

type ServersOfPlace = Pick<Servers, 'app' | 'origin' | 'tcpOrigin' | 'othersOrigin'>;

const pidFilesOf = ({ app, origin, tcpOrigin, othersOrigin }: ServersOfPlace): string[] =>
  [app, origin, tcpOrigin, othersOrigin].flatMap((server) => server?.pidFile ?? []);

/** Makes a promise of the first thing that breaks down. */
function breakdown(): {
  readonly down: Promise<SessionFailure>;
  byLink(words: string): void;
  byServer(words: string): void;
  byLoad(words: string): void;
} {
  let tell = (_failure: SessionFailure): void => {};
  const down = new Promise<SessionFailure>((resolve) => (tell = resolve));
  return {
    down,
    byLink: (words) => tell(new SessionFailure('link-ended', words)),
    byServer: (words) => tell(new SessionFailure('origin-did-not-answer', words)),
    byLoad: (words) => tell(new SessionFailure('load-ended', words)),
  };
}

interface Watched {
  end(frames: ReturnType<typeof calmFrames>): Pick<SessionLog['environment'], 'machine'>;
}

/** Watches the machine while the session plays. */
function watch(link: Link, { rootPid, runsFolder }: RunFacts): Watched {
  const before = link.busyDrops();
  const watching = watchMachine({
    emulatorPid: link.emulatorPid,
    rootPid,
    otherRuns: () => otherRuns(rootPid, runsFolder).length,
  });
  return {
    end(frames) {
      const machine = watching?.stop({ ...frames, busyDrops: link.busyDrops() - before });
      return machine ? { machine } : {};
    },
  };
}

function linkRunOf(
  link: Link,
  { network, seed, phaseMs, leadInMs }: PlannedLink,
  visitBytes: number,
): LinkRun {
  const received = receivedWireBytes(link.client.namespace);
  return {
    network,
    seed,
    phaseMs,
    leadInMs,
    startedAtUnixMs: link.startedAtUnixMs,
    playDueAtUnixMs: link.startedAtUnixMs + leadInMs,
    udpChanges: [...link.udpChanges],
    ...(link.tcpChanges.length > 0 && { tcpChanges: [...link.tcpChanges] }),
    addressChanges: [...link.addressChanges],
    ...(link.udpPortChanges.length > 0 && { udpPortChanges: [...link.udpPortChanges] }),
    ...(link.mtuChanges.length > 0 && { mtuChanges: [...link.mtuChanges] }),
    busyDrops: link.busyDrops(),
    ...(received !== null && { receivedWireBytes: received - visitBytes }),
  };
}
