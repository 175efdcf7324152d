/** The life of an origin, whatever program it is: ports, a folder, a certificate, and an end that leaves nothing. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeCertificate, type Certificate } from './certificate.ts';
import type { Origin, OriginOptions } from './origin.ts';
import { choosePorts, loopbackAddresses } from './ports.ts';
import { requireTemporaryFolder } from '../temporaryFolder.ts';
import type { ServerProcess } from './serverProcess.ts';
import { startWatchdog } from './watchdog.ts';

/** A process that ignores SIGTERM this long is killed. The servers' own grace period is at most 0.5 s. */
const stopTimeoutMs = 3_000;
/** Signals after which a process is still there. */
const survivable: readonly NodeJS.Signals[] = ['SIGSTOP', 'SIGCONT', 'SIGUSR1', 'SIGUSR2'];
/** Inside a namespace of its own nothing else listens. */
const FIXED_PORTS = { httpsPort: 8443, httpPort: 8080 };

/** The settings of a server at each of its starts. */
export interface OriginSetting extends OriginOptions {
  readonly host: string;
  readonly httpsPort: number;
  readonly httpPort: number;
  readonly addresses: readonly string[];
  readonly protocols: readonly ('h1' | 'h2' | 'h3')[];
  readonly accessLogFile: string;
  readonly certificateFile: string;
  readonly privateKeyFile: string;
  /** Vanishes with the origin. */
  readonly folder: string;
  /** To be given every server process as soon as there is one: what dies before it listens leaves it to the watchdog. */
  readonly onSpawned: (pid: number) => void;
}

/**
 * Prepares an origin, lets `start` start its server, and resolves when that answers. If this process dies first, a
 * watchdog ends the server and removes its folder.
 *
 * @throws Error with one sentence when a port is taken or the server does not start.
 */
export async function ownOrigin(options: OriginOptions, start: StartServer): Promise<Origin> {
  requireTemporaryFolder(null);
  for (let attempt = 1; ; attempt++)
    try {
      return await beginOrigin(options, start);
    } catch (error) {
      if (attempt === ATTEMPTS || !isLostPort(options, error)) throw error;
    }
}

type StartServer = (setting: OriginSetting) => Promise<ServerProcess>;

/** Somebody else may take a free port between its choice and its use: a connection that goes out is enough. */
const ATTEMPTS = 3;

/** In the words of Caddy and of our own origin: "bind: address already in use", "Address already in use (os error 98)". */
const isLostPort = ({ namespace, httpsPort, httpPort }: OriginOptions, error: unknown): boolean =>
  namespace === undefined &&
  !(httpsPort && httpPort) &&
  error instanceof Error &&
  /address already in use/i.test(error.message);

async function beginOrigin(options: OriginOptions, start: StartServer): Promise<Origin> {
  const addresses = options.addresses ?? loopbackAddresses();
  const host = options.host ?? 'localhost';
  const ports = options.namespace ? fixedPorts(options) : await choosePorts(options, addresses);
  const folder = await mkdtemp(join(tmpdir(), 'pitwall-origin-'));
  const watchdog = startWatchdog(folder);
  const clean = async (): Promise<void> => {
    watchdog.release();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const certificate = await makeCertificate([host]);
    const accessLogFile = options.accessLogFile ?? join(folder, 'access.log');
    const files = await writeCertificate(folder, certificate);
    const pidFile = join(folder, 'pid');
    const onSpawned = (pid: number): void => watchdog.watch(pid);
    const setting = { ...options, ...ports, ...files, host, addresses, folder, accessLogFile, onSpawned };
    const startWith = async (protocols = options.protocols): Promise<ServerProcess> => {
      const server = await start({ ...setting, protocols: protocols ?? ['h1', 'h2', 'h3'] });
      void server.gone.then(() => watchdog.watch(null));
      await writeFile(pidFile, String(server.pid));
      return server;
    };
    const facts = { ...ports, host, spki: certificate.spkiSha256Base64, accessLogFile, pidFile };
    return originOf(facts, await startWith(), { start: startWith, clean });
  } catch (error) {
    await clean();
    throw error;
  }
}

/** A second origin in a namespace is given ports of its own. */
const fixedPorts = ({ httpsPort, httpPort }: OriginOptions): typeof FIXED_PORTS => ({
  httpsPort: httpsPort ?? FIXED_PORTS.httpsPort,
  httpPort: httpPort ?? FIXED_PORTS.httpPort,
});

type Facts = Pick<Origin, 'httpsPort' | 'httpPort' | 'host' | 'spki' | 'accessLogFile' | 'pidFile'>;

interface Lifecycle {
  start(protocols?: OriginOptions['protocols']): Promise<ServerProcess>;
  clean(): Promise<void>;
}

function originOf(facts: Facts, first: ServerProcess, { start, clean }: Lifecycle): Origin {
  let running: ServerProcess | null = null;
  const adopt = (server: ServerProcess): void => {
    running = server;
    void server.gone.then(() => {
      if (running === server) running = null;
    });
  };
  const end = async (): Promise<void> => {
    if (running !== null) await endProcess(running);
  };
  adopt(first);
  return {
    ...facts,
    httpsUrl: `https://${facts.host}:${facts.httpsPort}`,
    httpUrl: `http://${facts.host}:${facts.httpPort}`,
    get pid() {
      return running?.pid ?? null;
    },
    async kill(signal) {
      const target = running;
      if (target === null) return;
      target.signal(signal);
      if (!survivable.includes(signal)) await target.gone;
    },
    async restart({ protocols } = {}) {
      await end();
      adopt(await start(protocols));
    },
    async stop() {
      await end();
      await clean();
    },
  };
}

async function endProcess(server: ServerProcess): Promise<void> {
  // A process paused by SIGSTOP would never see SIGTERM.
  server.signal('SIGCONT');
  server.signal('SIGTERM');
  const timer = setTimeout(() => server.signal('SIGKILL'), stopTimeoutMs);
  await server.gone;
  clearTimeout(timer);
}

async function writeCertificate(
  folder: string,
  certificate: Certificate,
): Promise<Pick<OriginSetting, 'certificateFile' | 'privateKeyFile'>> {
  const certificateFile = join(folder, 'certificate.pem');
  const privateKeyFile = join(folder, 'key.pem');
  await writeFile(certificateFile, certificate.certificatePem);
  await writeFile(privateKeyFile, certificate.privateKeyPem, { mode: 0o600 });
  return { certificateFile, privateKeyFile };
}
