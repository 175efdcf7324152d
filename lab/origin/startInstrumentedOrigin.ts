/** Our own origin (the Rust program beside this file) in the place of Caddy: the same contract, and more to read. */
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { contentSecurityPolicy } from '../caddy/caddyfile.ts';
import { folderOf, isPrivate, type Mount, type Origin, type OriginOptions } from '../caddy/origin.ts';
import { ownOrigin, type OriginSetting } from '../caddy/ownOrigin.ts';
import { startServer } from '../caddy/serverProcess.ts';
import { requireTool } from '../tools.ts';
import type { FaultRule } from './faultRule.ts';

/** The origin looks for new rules at each request, but at no datagram sooner than 10 ms after the one before. */
const RULES_SEEN_MS = 20;

/** An origin that fails as its fault rules say. */
export interface InstrumentedOrigin extends Origin {
  /** Replaces all rules; the next request and datagram obey the new ones, and counts and times begin anew. */
  setFaults(rules: readonly FaultRule[]): Promise<void>;
}

/** Families that both transports have; TCP's must be in the kernel. */
export const congestionControllers = ['reno', 'cubic', 'bbr'] as const;
export type CongestionController = (typeof congestionControllers)[number];

/** The options of this origin beyond those of every origin. */
export interface InstrumentedOptions extends Omit<OriginOptions, 'caddy'> {
  /** Path of the program. Default: the one that set-up built. */
  readonly program?: string;
  /** Take requests in the first packet of a QUIC connection that goes on with an earlier session. Default: no. */
  readonly zeroRtt?: boolean;
  /** TCP's congestion controller on every port. Default: the system's. */
  readonly tcpController?: CongestionController;
  /** Lets the kernel space packets out whatever the controller, as QUIC always does. Default: only BBR. */
  readonly tcpPacing?: boolean;
  /** How large the TLS records of h1 and h2 are. Default: dynamic, small where a response begins. */
  readonly tlsRecords?: 'dynamic' | '16k';
  /** What the kernel keeps of a connection's unsent and unacknowledged bytes. Default: as much as it sees fit. */
  readonly tcpSendBufferBytes?: number;
  /** QUIC's congestion controller. Default: cubic. */
  readonly quicController?: CongestionController;
  /** QUIC's Cubic takes the share of this many connections (mulTCP). Default: quinn's own Cubic. */
  readonly emulatedConnections?: number;
  /** QUIC's first and largest window. TCP's first window is the route's: `Link.useController`. */
  readonly initialWindowPackets?: number;
  readonly maxWindowPackets?: number;
  /** What QUIC keeps of a connection's unsent and unacknowledged bytes. Default: 10 MB. */
  readonly quicSendBufferBytes?: number;
  /** How long a connection may be without requests; QUIC tells its client (`max_idle_timeout`). Default: 300 s. */
  readonly idleSeconds?: number;
  /** What goes wrong from the start. Default: nothing. */
  readonly faults?: readonly FaultRule[];
  /** Where the state of every connection goes each 100 ms, as JSON lines: see `readTransportLog`. Default: nowhere. */
  readonly transportLogFile?: string;
}

/**
 * Starts the origin and resolves when it answers. The caller owns it: `stop()` it in a `finally`. If the caller dies
 * first, a watchdog ends it and removes its folder. The prefixes that take something away are those of `startCaddy`.
 *
 * @throws Error with one sentence when a port is taken, the program is missing or does not start.
 */
export async function startInstrumentedOrigin(options: InstrumentedOptions): Promise<InstrumentedOrigin> {
  const program = options.program ?? requireTool('origin');
  const faults = faultsFile(options.faults);
  const origin = await ownOrigin(options, async (setting) => {
    const answersFile = join(setting.folder, 'answers.json');
    await writeFile(answersFile, JSON.stringify(setting.answers?.(setting) ?? {}));
    return startServer({
      name: 'The instrumented origin',
      program,
      arguments: [
        ...servingArguments(setting),
        ...['--answers', answersFile, '--faults', await faults.in(setting.folder)],
        ...originArguments(options),
      ],
      namespace: options.namespace,
      readyMessage: '"ready":true',
      complaint: 'pitwall-origin:',
      onSpawned: setting.onSpawned,
    });
  });
  // Its properties are read, not copied: the process id changes.
  return Object.assign(origin, { setFaults: faults.set });
}

function servingArguments(setting: OriginSetting): string[] {
  return [
    ...Object.entries(setting.mounts).flatMap(([prefix, mount]) => ['--mount', `${prefix}=${target(mount)}`]),
    ...Object.entries(setting.mounts).flatMap(([prefix, mount]) =>
      isPrivate(mount) ? ['--private', prefix] : [],
    ),
    ...setting.addresses.flatMap((address) => ['--address', address]),
    ...['--host', setting.host],
    ...(setting.appFolder ? ['--app', setting.appFolder, '--app-policy', contentSecurityPolicy] : []),
    ...['--https-port', String(setting.httpsPort), '--http-port', String(setting.httpPort)],
    ...['--protocols', setting.protocols.join(',')],
    ...(setting.altSvc === false ? ['--no-alt-svc'] : []),
    ...['--certificate', setting.certificateFile, '--key', setting.privateKeyFile],
    ...['--access-log', setting.accessLogFile],
    ...(setting.accessLogLimitBytes === undefined
      ? []
      : ['--access-log-limit', String(setting.accessLogLimitBytes)]),
  ];
}

const target = (mount: Mount): string =>
  typeof mount !== 'string' && 'proxyUrl' in mount ? mount.proxyUrl : (folderOf(mount) ?? '');

function originArguments(options: InstrumentedOptions): string[] {
  const flags: Readonly<Record<string, string | number | boolean | undefined>> = {
    '--zero-rtt': options.zeroRtt,
    '--transport-log': options.transportLogFile,
    '--tcp-controller': options.tcpController,
    '--tcp-pacing': options.tcpPacing,
    '--tls-records': options.tlsRecords,
    '--tcp-send-buffer': options.tcpSendBufferBytes,
    '--quic-controller': options.quicController,
    '--emulated-connections': options.emulatedConnections,
    '--initial-window': options.initialWindowPackets,
    '--max-window': options.maxWindowPackets,
    '--quic-send-buffer': options.quicSendBufferBytes,
    '--idle': options.idleSeconds,
  };
  return Object.entries(flags).flatMap(([flag, value]) => {
    if (value === undefined || value === false) return [];
    return value === true ? [flag] : [flag, String(value)];
  });
}

/** The rules' file, in a folder that is known at the start. It is replaced whole: nobody reads half of it. */
function faultsFile(first: readonly FaultRule[] = []) {
  let [rules, file] = [first, ''];
  const write = async (): Promise<void> => {
    await writeFile(`${file}.new`, JSON.stringify(rules));
    await rename(`${file}.new`, file);
  };
  return {
    async in(folder: string): Promise<string> {
      file = join(folder, 'faults.json');
      await write();
      return file;
    },
    set: async (next: readonly FaultRule[]): Promise<void> => {
      rules = next;
      await write();
      await setTimeout(RULES_SEEN_MS);
    },
  };
}
