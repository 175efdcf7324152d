import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { InstrumentedPlan } from './plan.ts';
import type { Origin } from '../../lab/caddy/origin.ts';
import { startWatchdog } from '../../lab/caddy/watchdog.ts';
import type { PreparedLink } from '../../lab/link/link.ts';
import { RECEIVE_WINDOW_BYTES } from '../../lab/load/loadProgram.ts';
import { startFlow, type Flow } from '../../lab/load/startFlow.ts';
import { startInstrumentedOrigin } from '../../lab/origin/startInstrumentedOrigin.ts';
import { besideOf, flowController, type FlowGroup } from '../factors/besideOf.ts';
import { valueOf } from '../../src/shared/result.ts';
import type { SessionLog } from '../../src/telemetry/schema/sessionLog.ts';

type BesideRun = NonNullable<SessionLog['environment']['beside']>;

/** When the flows of a session come and go, on the machine's wall clock. */
interface LoadTimes {
  /** The link's first packet. */
  readonly startedAtUnixMs: number;
  readonly playDueAtUnixMs: number;
  /** No session is longer. */
  readonly endsAtUnixMs: number;
}

/** The flows that share the link with the viewer of a session. */
export interface BesideLoad {
  /** Starts each flow when it is due. */
  begin(times: LoadTimes): void;
  /** Settles with a sentence when a flow cannot run: the laboratory failed, not the network. */
  readonly failed: Promise<string>;
  /** What the flows received until now. @throws Error before `begin` */
  record(): BesideRun;
  /** Ends flows and origins. Safe to call twice. */
  stop(): Promise<void>;
}

interface LoadOptions {
  /** As `besideOf` reads it. */
  readonly load: string;
  readonly link: Pick<PreparedLink, 'client' | 'server'>;
  /** As the viewer's origin sends. */
  readonly sending: InstrumentedPlan;
}

/**
 * Starts the origins of what runs beside a viewer, one for each group of flows, for each sends by its own controller:
 *
 *     client namespace: Chromium, clients of flows ── link ── server namespace: the viewer's origin, those of the flows
 *
 * Nothing crosses the link before `begin`. @throws Error with one sentence when one does not start
 */
export async function prepareLoad({ load, link, sending }: LoadOptions): Promise<BesideLoad> {
  const groups = valueOf(besideOf(load)).filter((group) => group.kind === 'flows');
  const folder = await mkdtemp(path.join(tmpdir(), 'pitwall-beside-'));
  const watchdog = startWatchdog(folder);
  const origins: Origin[] = [];
  const clean = async (): Promise<void> => {
    await Promise.all(origins.map((origin) => origin.stop()));
    watchdog.release();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await writeEndless(path.join(folder, ENDLESS));
    for (const [index, group] of groups.entries())
      origins.push(await startSender(group, index, { folder, link, sending }));
    return loadOf({
      load,
      sending,
      clean,
      senders: groups.map((group, at) => startWith(group, origins[at]!, link)),
    });
  } catch (error) {
    await clean();
    throw error;
  }
}

const ENDLESS = 'endless.bin';
/** No session reads it to its end. It takes no space on the disk: holes are read as zeros. */
const ENDLESS_BYTES = 64 * 1024 ** 3;
const PREFIX = '/beside';
const HOST = 'beside.test';
/** Above those of the viewer's origin and its pathway `tcp`. */
const FIRST_PORTS = { https: 8500, http: 8200 };

async function writeEndless(file: string): Promise<void> {
  await writeFile(file, '');
  await truncate(file, ENDLESS_BYTES);
}

function startSender(
  { transport, family, emulatedConnections }: FlowGroup,
  index: number,
  { folder, link, sending }: Omit<LoadOptions, 'load'> & { readonly folder: string },
): Promise<Origin> {
  const { initialWindowPackets, tcpPacing, tlsRecords } = sending;
  return startInstrumentedOrigin({
    namespace: link.server.namespace,
    addresses: [link.server.address],
    host: HOST,
    httpsPort: FIRST_PORTS.https + index,
    httpPort: FIRST_PORTS.http + index,
    mounts: { [PREFIX]: folder },
    protocols: [PROTOCOLS[transport]],
    ...(transport === 'tcp'
      ? { tcpController: family, tcpPacing, tlsRecords }
      : { quicController: family, initialWindowPackets }),
    ...(emulatedConnections !== null && { emulatedConnections }),
  });
}

const PROTOCOLS = { tcp: 'h2', quic: 'h3' } as const;

/** A group of flows with what starts one of them. */
interface SenderOfGroup {
  readonly group: FlowGroup;
  start(untilUnixMs: number): Flow;
}

function startWith(
  group: FlowGroup,
  { httpsPort }: Origin,
  { client, server }: LoadOptions['link'],
): SenderOfGroup {
  const options = {
    protocol: PROTOCOLS[group.transport],
    address: `${server.address}:${httpsPort}`,
    host: HOST,
    path: `${PREFIX}/${ENDLESS}`,
    namespace: client.namespace,
    windowBytes: windowBytesOf(group),
  };
  return { group, start: (untilUnixMs) => startFlow({ ...options, untilUnixMs }) };
}

const windowBytesOf = ({ windowKib }: FlowGroup): number =>
  windowKib === null ? RECEIVE_WINDOW_BYTES : windowKib * 1024;

interface Parts extends Pick<LoadOptions, 'load' | 'sending'> {
  readonly senders: readonly SenderOfGroup[];
  clean(): Promise<void>;
}

function loadOf({ load, sending, senders, clean }: Parts): BesideLoad {
  const running: { readonly group: FlowGroup; readonly flow: Flow }[] = [];
  const timers: NodeJS.Timeout[] = [];
  let secondsFromUnixMs: number | null = null;
  let tellFailed = (_sentence: string): void => {};
  const failed = new Promise<string>((tell) => (tellFailed = tell));
  const start = ({ group, start: startOne }: SenderOfGroup, untilUnixMs: number): void => {
    for (let count = 0; count < group.flows; count += 1) {
      const flow = startOne(untilUnixMs);
      void flow.failed.then(tellFailed);
      running.push({ group, flow });
    }
  };
  return {
    failed,
    begin({ startedAtUnixMs, playDueAtUnixMs, endsAtUnixMs }) {
      secondsFromUnixMs = startedAtUnixMs;
      for (const sender of senders) {
        const { fromSeconds, untilSeconds } = sender.group;
        const untilUnixMs = untilSeconds === null ? endsAtUnixMs : playDueAtUnixMs + untilSeconds * 1000;
        if (fromSeconds === null) start(sender, untilUnixMs);
        else {
          const dueMs = Math.max(0, playDueAtUnixMs + fromSeconds * 1000 - Date.now());
          timers.push(setTimeout(() => start(sender, untilUnixMs), dueMs));
        }
      }
    },
    record() {
      if (secondsFromUnixMs === null) throw new Error('The flows beside the viewer have not begun.');
      const fromUnixMs = secondsFromUnixMs;
      return {
        load,
        secondsFromUnixMs,
        flows: running.map(({ group, flow }) => flowRun(group, flow.record(fromUnixMs), sending)),
      };
    },
    async stop() {
      timers.forEach(clearTimeout);
      await Promise.all(running.map(({ flow }) => flow.stop()));
      await clean();
    },
  };
}

function flowRun(
  group: FlowGroup,
  { interruptions, bytesBySecond, openedAtUnixMs, ...record }: ReturnType<Flow['record']>,
  { initialWindowPackets, tcpPacing }: InstrumentedPlan,
): BesideRun['flows'][number] {
  const { transport, family } = group;
  return {
    transport,
    controller: flowController(group),
    initialWindowPackets,
    paced: transport === 'quic' || tcpPacing || family === 'bbr',
    receiveWindowBytes: windowBytesOf(group),
    ...record,
    openedAtUnixMs,
    interruptions: [...interruptions],
    bytesBySecond: [...bytesBySecond],
    missing: openedAtUnixMs === null ? { openedAtUnixMs: 'failed' } : {},
  };
}
