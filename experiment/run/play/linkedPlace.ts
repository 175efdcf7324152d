import { rm } from 'node:fs/promises';
import path from 'node:path';
import { cellLive, type CellLive, cellOrigin, type CellOrigin } from './cellOrigin.ts';
import type { Place } from './place.ts';
import { JOIN_LIMIT_MS, ORIGIN_HOST, type CompareCell, type ComparePlan, type RunFacts } from './plan.ts';
import { otherRuns } from '../lock/machineRuns.ts';
import { during } from './sessionFailure.ts';
import { sessionFiles } from './sessionFiles.ts';
import type { Origin } from '../../../lab/caddy/origin.ts';
import { startCaddy } from '../../../lab/caddy/startCaddy.ts';
import { prepareLink } from '../../../lab/link/createLink.ts';
import type { Link, PreparedLink } from '../../../lab/link/link.ts';
import { receivedWireBytes } from '../../../lab/link/receivedWireBytes.ts';
import { calmFrames } from '../../../lab/machine/calmFrames.ts';
import { watchMachine } from '../../../lab/machine/watchMachine.ts';
import { linkProfile } from '../../plan/linkProfile.ts';
import type { Network, PlannedLink } from '../../plan/plan.ts';
import type { SessionLog } from '../../../src/telemetry/schema/sessionLog.ts';

type LinkRun = NonNullable<SessionLog['environment']['linkRun']>;

/** Stopping and writing the log after the session, on a busy machine. */
const AFTERWARDS_MS = 60_000;

/**
 * A link of the session's own:
 *
 *     client namespace: Chromium, the page's server (loopback)  ── link ──  server namespace: the origin
 *
 * Everything is started before the first packet crosses the link, so that its lead-in is as long as it says and nothing
 * but media is ever carried.
 */
export async function linkedPlace(
  plan: ComparePlan,
  cell: CompareCell,
  planned: PlannedLink,
): Promise<Place> {
  const network = plan.networks.find(({ name }) => name === planned.network);
  if (!network) throw new Error(`${cell.id} is over ${planned.network}, which the plan does not have`);
  const sending = cellOrigin(plan.instrumented, cell);
  const link = await during('link-did-not-answer', prepare(plan, network, { ...planned, ...sending }));
  const servers: Pick<Origin, 'stop'>[] = [];
  const leave = async (): Promise<void> => {
    await Promise.all(servers.map((server) => server.stop()));
    await link.remove();
  };
  try {
    const started = await during(
      'origin-did-not-answer',
      startServers(plan, { cell, link, sending }, servers),
    );
    return placeOf({
      ...started,
      ...{ run: plan, cell, planned, link, sending, leave, executablePath: await wrapped(plan, link) },
    });
  } catch (error) {
    await leave();
    throw error;
  }
}

async function prepare(
  { seconds }: ComparePlan,
  { profile }: Network,
  planned: PlannedLink & Pick<CellOrigin, 'tcp'>,
): Promise<PreparedLink> {
  const lastingMs = JOIN_LIMIT_MS + seconds * 1000 + AFTERWARDS_MS;
  const link = await prepareLink({ profile: linkProfile(profile, planned, lastingMs), seed: planned.seed });
  for (const end of ['client', 'server'] as const)
    await link.useController(end, planned.tcp).catch(async (error: unknown) => {
      await link.remove();
      throw error;
    });
  return link;
}

const wrapped = ({ chromiumPath }: ComparePlan, link: PreparedLink): Promise<string> =>
  link.clientWrapper(chromiumPath);

interface Servers {
  readonly app: Origin;
  readonly origin: Origin;
  /** Its second name, without HTTP/3; null where nothing is steered. */
  readonly tcpOrigin: Origin | null;
  /** null for video on demand. */
  readonly live: CellLive | null;
  /** Nothing is written there by Caddy. */
  readonly transportLogFile: string;
}

async function startServers(
  { appFolder, mounts, logDir }: ComparePlan,
  { cell, link, sending }: { cell: CompareCell; link: PreparedLink; sending: CellOrigin },
  started: Pick<Origin, 'stop'>[],
): Promise<Servers> {
  const { client, server } = link;
  const { transportLog: transportLogFile } = sessionFiles(logDir, cell.id);
  const live = cell.live ? await cellLive(cell.live, server.namespace) : null;
  if (live) started.push(live);
  // What a try before this one, or a killed run, left: the origin would append to it.
  await rm(transportLogFile, { force: true });
  const files = { mounts: { ...mounts, ...live?.mounts } };
  const inServer = { namespace: server.namespace, addresses: [server.address] };
  const starting = [
    startCaddy({ namespace: client.namespace, addresses: ['127.0.0.1'], mounts: {}, appFolder }),
    sending.start(
      {
        ...{ ...inServer, ...files, host: `${cell.id}.${ORIGIN_HOST}` },
        accessLogFile: path.join(logDir, `${cell.id}.access.jsonl`),
      },
      transportLogFile,
    ),
    cell.steering === undefined
      ? null
      : sending.start(
          {
            ...{ ...inServer, ...files, host: `tcp.${ORIGIN_HOST}`, ...TCP_PORTS },
            protocols: ['h1', 'h2'],
            accessLogFile: path.join(logDir, `${cell.id}.tcp.access.jsonl`),
          },
          null,
        ),
  ] as const;
  // Both are waited for, so that none is left behind when the other fails.
  for (const each of await Promise.allSettled(starting))
    if (each.status === 'fulfilled' && each.value) started.push(each.value);
  const [app, origin, tcpOrigin] = await Promise.all(starting);
  return { app, origin, tcpOrigin, live, transportLogFile };
}

/** Beside those of the first name. */
const TCP_PORTS = { httpsPort: 8444, httpPort: 8081 };

interface Parts extends Servers {
  readonly run: RunFacts;
  readonly cell: CompareCell;
  readonly planned: PlannedLink;
  readonly link: PreparedLink;
  readonly sending: CellOrigin;
  readonly executablePath: string;
  leave(): Promise<void>;
}

function placeOf({ app, origin, tcpOrigin, live, cell, planned, link, sending, ...parts }: Parts): Place {
  const { run, executablePath, transportLogFile, leave } = parts;
  const names = [origin, ...(tcpOrigin ? [tcpOrigin] : [])];
  let running: Link | null = null;
  let watched: Watched | null = null;
  let visitBytes = 0;
  let tellBroken = (_sentence: string): void => {};
  const brokeDown = new Promise<string>((tell) => (tellBroken = tell));
  void link.ended.then(tellBroken);
  return {
    appUrl: `${app.httpUrl}/`,
    mpdUrl: `${origin.httpsUrl}${cell.mpd}`,
    ...(tcpOrigin && { tcpUrl: tcpOrigin.httpsUrl }),
    browser: {
      executablePath,
      spkiSha256Base64: names.map(({ spki }) => spki).join(','),
      hostRules: names.map(({ host }) => `MAP ${host} ${link.server.address}`).join(', '),
    },
    async ready() {
      running = await during('link-did-not-answer', link.begin());
      void running.failed.then(tellBroken);
      watched = watch(running, run);
      const playDueAtUnixMs = running.startedAtUnixMs + planned.leadInMs;
      live?.restart(playDueAtUnixMs);
      return playDueAtUnixMs;
    },
    visited: () => void (visitBytes = receivedWireBytes(link.client.namespace) ?? 0),
    brokeDown,
    facts: (log) => ({
      link: planned.network,
      ...sending.facts,
      ...(running && { linkRun: linkRunOf(running, planned, visitBytes) }),
      ...watched?.end(calmFrames(log)),
    }),
    ...(sending.facts.origin.program === 'instrumented' && {
      transportLog: { file: transportLogFile, fromByte: 0, isShared: false },
    }),
    async leave() {
      watched?.end({ decodedFrames: 0, droppedFrames: 0 });
      await leave();
    },
  };
}

interface Watched {
  end(frames: ReturnType<typeof calmFrames>): Pick<SessionLog['environment'], 'machine'>;
}

/** Of the machine, while the session plays. */
function watch(link: Link, { rootPid, runsFolder }: RunFacts): Watched {
  const before = link.busyDrops();
  const watching = watchMachine({
    ...{ emulatorPid: link.emulatorPid, rootPid },
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
    ...{ network, seed, phaseMs, leadInMs },
    startedAtUnixMs: link.startedAtUnixMs,
    playDueAtUnixMs: link.startedAtUnixMs + leadInMs,
    udpChanges: [...link.udpChanges],
    ...(link.tcpChanges.length > 0 && { tcpChanges: [...link.tcpChanges] }),
    addressChanges: [...link.addressChanges],
    ...(link.udpPortChanges.length > 0 && { udpPortChanges: [...link.udpPortChanges] }),
    busyDrops: link.busyDrops(),
    ...(received !== null && { receivedWireBytes: received - visitBytes }),
  };
}
