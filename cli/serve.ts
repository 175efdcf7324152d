import path from 'node:path';
import { Option, type Command } from 'commander';
import { originOption, wholeNumber } from './options.ts';
import {
  congestionControllers,
  type CongestionController,
  startInstrumentedOrigin,
  type InstrumentedOptions,
} from '../lab/origin/startInstrumentedOrigin.ts';
import type { Shell } from './shell.ts';
import { type Origin, type OriginOptions, ACCESS_LOG_LIMIT_BYTES } from '../lab/caddy/origin.ts';
import { startCaddy } from '../lab/caddy/startCaddy.ts';
import { buildApp } from '../setup/buildApp.mjs';
import { demoMounts } from '../lab/content/contentMounts.ts';
import { tools } from '../lab/tools.ts';
import { readdirSync, mkdtempSync, rmSync } from 'node:fs';
import { formatFileError } from '../node/files.ts';
import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { labBrowser } from '../lab/browser/registry.ts';
import { pick } from '../src/shared/registry.ts';

export function addServe(program: Command, shell: Shell): void {
  program
    .command('serve')
    .description('serve the page and an origin for h1, h2 and h3, until Ctrl-C')
    .argument('[dir]', 'a folder of your own DASH content, served at /content/')
    .option('--port <n>', 'port of the page (plain http)', wholeNumber('--port', { min: 0 }), 8080)
    .option(
      '--https-port <n>',
      'port of the origin (h1, h2, h3)',
      wholeNumber('--https-port', { min: 0 }),
      8443,
    )
    .option('--open', 'open a Chromium that can do h2, h3 and racing against this origin', false)
    .addOption(originOption('the server; instrumented reports its transport (Server-Timing, CMSD)'))
    .addOption(
      new Option('--cc <name>', 'congestion controller of TCP and QUIC').choices(congestionControllers),
    )
    .option('--emulated-connections <n>', 'Cubic connections whose share QUIC takes', wholeFrom(1))
    .option('--initial-window <packets>', 'initial congestion window of QUIC', wholeFrom(2))
    .option('--max-window <packets>', 'largest congestion window of QUIC', wholeFrom(2))
    .option('--zero-rtt', 'accept requests in the first packet of a resumed QUIC connection')
    .option(
      '--transport-log <file>',
      'write a JSON line per connection every 100 ms: RTT, window, loss, rate',
    )
    .addHelpText(
      'after',
      '\nPort 0 selects a free port. The options from --cc on need --origin instrumented.\n',
    )
    .action(async (dir: string | undefined, options: ServeOptions) => {
      await runServe({ ...options, root: shell.root, contentDir: dir ? path.resolve(dir) : null });
    });
}

const wholeFrom = (min: number): ((text: string) => number) => wholeNumber('This option', { min });

/** What `pitwall serve` was asked for. */
export interface ServeOptions {
  readonly port: number;
  readonly httpsPort: number;
  readonly open: boolean;
  readonly origin: OriginName;
  /** The rest is for the instrumented origin only. */
  readonly cc?: CongestionController;
  readonly emulatedConnections?: number;
  readonly initialWindow?: number;
  readonly maxWindow?: number;
  readonly zeroRtt?: boolean;
  readonly transportLog?: string;
}

type OriginName = 'caddy' | 'instrumented';

/** What can serve, by the name that people give to `--origin`. */
export const originStarts: Readonly<
  Record<OriginName, (serving: OriginOptions, asked: ServeOptions) => Promise<Origin>>
> = {
  caddy: (serving, asked) => {
    const [flag] = Object.entries(flagsOf(asked)).find(([, value]) => value !== undefined) ?? [];
    if (flag !== undefined) throw new Error(`${flag} needs --origin instrumented.`);
    return startCaddy(serving);
  },
  instrumented: (serving, asked) => startInstrumentedOrigin({ ...serving, ...instrumented(asked) }),
};

const flagsOf = (asked: ServeOptions): Record<string, unknown> => ({
  '--cc': asked.cc,
  '--emulated-connections': asked.emulatedConnections,
  '--initial-window': asked.initialWindow,
  '--max-window': asked.maxWindow,
  '--zero-rtt': asked.zeroRtt,
  '--transport-log': asked.transportLog,
});

/** One name for both transports: equal controllers are what makes them comparable. */
function instrumented(asked: ServeOptions): Omit<InstrumentedOptions, 'mounts'> {
  return {
    ...(asked.cc && { tcpController: asked.cc, quicController: asked.cc }),
    ...(asked.emulatedConnections && { emulatedConnections: asked.emulatedConnections }),
    ...(asked.initialWindow && { initialWindowPackets: asked.initialWindow }),
    ...(asked.maxWindow && { maxWindowPackets: asked.maxWindow }),
    ...(asked.zeroRtt && { zeroRtt: true }),
    ...(asked.transportLog && { transportLogFile: path.resolve(asked.transportLog) }),
  };
}

/** Resolves when the program receives a signal to stop. */
export const signalled = (): Promise<void> =>
  new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve());
  });

const HOST = 'localhost';

/** Serves until Ctrl-C, SIGTERM, or until the opened browser is closed. */
async function runServe(options: ServeOptions & { root: string; contentDir: string | null }): Promise<void> {
  const print = (line: string): void => void process.stdout.write(`${line}\n`);
  const mpds = options.contentDir === null ? null : mpdsIn(options.contentDir);
  await buildApp(options.root, print);
  const interrupted = signalled();
  const origin = await originStarts[options.origin](
    {
      host: HOST,
      httpPort: options.port,
      httpsPort: options.httpsPort,
      mounts: { ...demoMounts(), ...(options.contentDir ? { '/content': options.contentDir } : {}) },
      accessLogLimitBytes: ACCESS_LOG_LIMIT_BYTES,
      appFolder: path.join(options.root, 'dist'),
      answers: (ports) => ({ '/pitwall.json': JSON.stringify(pageFacts(HOST, ports)) }),
    },
    options,
  );
  try {
    const start = `${origin.httpUrl}/`;
    const { chromium } = tools();
    const command = chromium && chromiumCommand(chromium, { origin, start });
    print(formatServed(origin, { start, chromium: command, mpds }));
    const browser =
      options.open && chromium && hasDisplay() ? openChromium(chromium, { origin, start }) : null;
    await Promise.race([interrupted, ...(browser ? [browser.closed] : [])]);
    browser?.close();
  } finally {
    await origin.stop();
    print('Stopped.');
  }
}

interface Served {
  readonly start: string;
  /** The command that starts a browser for this origin; null where there is no Chromium. */
  readonly chromium: string | null;
  /** Names of the MPDs in a folder of the user's own; null where none is served. */
  readonly mpds: readonly string[] | null;
}

/** What is served, in words: addresses, what the origin offers, and how to see h3 in a browser of one's own. */
export function formatServed(origin: Pick<Origin, 'httpsUrl'>, { start, chromium, mpds }: Served): string {
  return [
    '',
    `Pitwall is ready:  ${start}`,
    '',
    `  app      ${start}  (any browser; its own copy of the demo is http/1.1)`,
    `  origin   ${origin.httpsUrl}/media/demo/manifest.mpd  (http/1.1, h2 and h3 on one port)`,
    ...contentLines(origin, mpds),
    '',
    'The certificate of the origin is self-signed. A browser needs its key for h2 and for h3. Start it with:',
    '',
    `      ${chromium ?? 'install Chromium, then run "npm start" again to get the command'}`,
    '',
    'Ctrl-C stops both.',
  ].join('\n');
}

function contentLines({ httpsUrl }: Pick<Origin, 'httpsUrl'>, mpds: Served['mpds']): string[] {
  if (mpds === null) return [];
  const address = `${httpsUrl}/content/`;
  return mpds.length > 0
    ? mpds.map((name) => `  content  ${address}${encodeURIComponent(name)}`)
    : [`  content  ${address}  (your folder has no MPD at its top level: add the path of one below it)`];
}

/** Whether a window can be opened here. */
export function hasDisplay(): boolean {
  if (process.platform === 'darwin' || process.platform === 'win32') return true;
  return Boolean(process.env['DISPLAY'] ?? process.env['WAYLAND_DISPLAY']);
}

/** Names of the MPDs that lie in a folder, not below it. @throws Error in one sentence when it cannot be read */
export function mpdsIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.toLowerCase().endsWith('.mpd'))
      .sort();
  } catch (error) {
    throw new Error(formatFileError(folder, error));
  }
}

interface Target {
  readonly origin: Pick<Origin, 'host' | 'httpsPort' | 'spki'>;
  readonly start: string;
}

/** Opens a window that can do h1, h2, h3 and the race against our own certificate. Its profile goes with it. */
export function openChromium(executable: string, target: Target): { closed: Promise<void>; close(): void } {
  const profile = mkdtempSync(path.join(tmpdir(), 'pitwall-window-'));
  const child = spawn(executable, [...flagsFor(target, profile), target.start], { stdio: 'ignore' });
  const closed = new Promise<void>((resolve) => {
    child.once('error', () => resolve());
    child.once('exit', () => {
      rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
      resolve();
    });
  });
  return { closed, close: () => void child.kill('SIGTERM') };
}

/** The same as a command to type, for machines without a display here and with one there. */
function chromiumCommand(executable: string, target: Target): string {
  const flags = flagsFor(target, '<empty folder>').map((flag) => (/[ <>*]/.test(flag) ? `"${flag}"` : flag));
  return [path.basename(executable), ...flags, target.start].join(' \\\n      ');
}

function flagsFor({ origin }: Target, profile: string): string[] {
  const racing = pick(labBrowser.modes, 'h3-racing');
  return [
    `--user-data-dir=${profile}`,
    '--no-first-run',
    `--ignore-certificate-errors-spki-list=${origin.spki}`,
    ...racing.flags({ host: origin.host, port: origin.httpsPort, ownCertificate: true }),
    // Chromium refuses to start its sandbox as root.
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  ];
}

/** What the page learns about the place it is served from: `pitwall.json` beside index.html. */
export function pageFacts(host: string, { httpsPort }: Pick<Origin, 'httpsPort'>) {
  const url = `https://${host}:${httpsPort}`;
  return {
    demoUrl: `${url}/media/demo/manifest.mpd`,
    plainDemoUrl: 'media/demo/manifest.mpd',
    origins: [{ url, offers: ['http/1.1', 'h2', 'h3'] }],
  };
}
