/** The origin of the lab: a real Caddy on loopback, h1 + h2 + h3 on one port, the app on another. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { requireTool } from '../tools.ts';
import { caddyfile } from './caddyfile.ts';
import { startProcess, type CaddyProcess } from './caddyProcess.ts';
import { makeCertificate, type Certificate } from './certificate.ts';
import type { Origin, OriginOptions } from './origin.ts';
import { freePort, loopbackAddresses, portIsFree } from './ports.ts';
import { startWatchdog } from './watchdog.ts';

/** A process that ignores SIGTERM this long is killed. Caddy's own grace period is 0.5 s. */
const stopTimeoutMs = 3_000;
/** Signals after which a process is still there. */
const survivable: readonly NodeJS.Signals[] = ['SIGSTOP', 'SIGCONT', 'SIGUSR1', 'SIGUSR2'];

/**
 * Starts an origin and resolves when it answers. The caller owns it: `stop()` it in a `finally`. If the caller dies
 * first, a watchdog ends Caddy and removes its folder.
 *
 * Below every mount the same files are also there behind a prefix that takes something away, for tests:
 * `/no-tao/…` (no Timing-Allow-Origin), `/no-cors/…`, `/with-credentials/…` (names the asking origin),
 * `/redirect/…` (302 to the same path without the prefix), `/status/503/…` (any status from 200 to 599).
 *
 * @throws Error with one sentence when a port is taken, Caddy is missing or does not start.
 */
export async function startCaddy(options: OriginOptions): Promise<Origin> {
  const caddy = options.caddy ?? requireTool('caddy');
  const addresses = options.addresses ?? loopbackAddresses();
  const host = options.host ?? 'localhost';
  const ports = options.namespace ? FIXED_PORTS : await choosePorts(options, addresses);
  const folder = await mkdtemp(join(tmpdir(), 'pitwall-origin-'));
  const watchdog = startWatchdog(folder);
  const clean = async (): Promise<void> => {
    watchdog.release();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const certificate = await makeCertificate([host]);
    const accessLogFile = options.accessLogFile ?? join(folder, 'access.log');
    await writeCertificate(folder, certificate);
    const configured = { ...options, addresses, ...ports, accessLogFile };
    const start = async (protocols = options.protocols): Promise<CaddyProcess> => {
      const text = configuration({ ...configured, ...(protocols && { protocols }) }, folder);
      await writeFile(join(folder, 'Caddyfile'), `${text}\n`);
      const process = await startProcess(
        commandFor(caddy, options.namespace),
        join(folder, 'Caddyfile'),
        folder,
      );
      watchdog.watch(process.pid);
      void process.gone.then(() => watchdog.watch(null));
      return process;
    };
    const facts = { ...ports, host, spki: certificate.spkiSha256Base64, accessLogFile };
    return originOf(facts, await start(), { start, clean });
  } catch (error) {
    await clean();
    throw error;
  }
}

/** Inside a namespace of its own nothing else listens. */
const FIXED_PORTS = { httpsPort: 8443, httpPort: 8080 };

/** `ip netns exec` replaces itself by the program, so the process id is Caddy's own. */
const commandFor = (caddy: string, namespace: string | undefined): readonly [string, ...string[]] =>
  namespace ? ['ip', 'netns', 'exec', namespace, caddy] : [caddy];

type Facts = Pick<Origin, 'httpsPort' | 'httpPort' | 'host' | 'spki' | 'accessLogFile'>;

interface Lifecycle {
  start(protocols?: OriginOptions['protocols']): Promise<CaddyProcess>;
  clean(): Promise<void>;
}

function originOf(facts: Facts, first: CaddyProcess, { start, clean }: Lifecycle): Origin {
  let running: CaddyProcess | null = null;
  const adopt = (caddy: CaddyProcess): void => {
    running = caddy;
    void caddy.gone.then(() => {
      if (running === caddy) running = null;
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

async function endProcess(caddy: CaddyProcess): Promise<void> {
  // A process paused by SIGSTOP would never see SIGTERM.
  caddy.signal('SIGCONT');
  caddy.signal('SIGTERM');
  const timer = setTimeout(() => caddy.signal('SIGKILL'), stopTimeoutMs);
  await caddy.gone;
  clearTimeout(timer);
}

async function choosePorts(
  options: OriginOptions,
  addresses: readonly string[],
): Promise<{ httpsPort: number; httpPort: number }> {
  for (const port of [options.httpsPort, options.httpPort]) {
    if (port !== undefined && !(await portIsFree(port, addresses))) {
      throw new Error(
        `Port ${port} is already in use on ${addresses.join(' or ')}: choose another, or 0 for a free one.`,
      );
    }
  }
  return {
    httpsPort: options.httpsPort || (await freePort(addresses)),
    httpPort: options.httpPort || (await freePort(addresses)),
  };
}

function configuration(
  options: OriginOptions &
    Pick<Origin, 'httpsPort' | 'httpPort' | 'accessLogFile'> & { addresses: readonly string[] },
  folder: string,
): string {
  return caddyfile({
    ...options,
    appFolder: options.appFolder ?? null,
    protocols: options.protocols ?? ['h1', 'h2', 'h3'],
    fixedAnswers: options.answers?.(options) ?? {},
    certificateFile: join(folder, 'certificate.pem'),
    privateKeyFile: join(folder, 'key.pem'),
  });
}

async function writeCertificate(folder: string, certificate: Certificate): Promise<void> {
  await writeFile(join(folder, 'certificate.pem'), certificate.certificatePem);
  await writeFile(join(folder, 'key.pem'), certificate.privateKeyPem, { mode: 0o600 });
}
