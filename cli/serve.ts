import path from 'node:path';
import type { Command } from 'commander';
import { print } from '../node/print.ts';
import { option, withOptions } from './declareOptions.ts';
import { origin, port } from './sharedOptions.ts';
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
import { startPacedServer } from '../lab/content/pacedServer.ts';
import { startRaceServer, type RaceServer } from '../lab/browser/chromium/raceServer.ts';
import { paces } from '../lab/content/paces.ts';
import { setUpAgain, tools } from '../lab/tools.ts';
import { readdirSync } from 'node:fs';
import { formatFileError } from '../node/files.ts';
import { formatQueryValue } from '../src/shared/format.ts';
import { usageError } from '../node/exitCodes.ts';
import { chromiumCommand, hasDisplay, openChromium } from './openChromium.ts';

export function addServe(program: Command, shell: Shell): void {
  const command = program
    .command('serve')
    .description('serve the page and an origin for h1, h2 and h3, until Ctrl-C')
    .argument('[dir]', 'a folder of your own DASH content, served at /content/');
  withOptions(
    command,
    'server',
    port('port of the page (plain http)', 8080),
    option('--https-port <n>', 'port of the origin (h1, h2, h3)', { min: 0, preset: 8443 }),
    option(
      '--pathways',
      'also serve the same files on a second port without HTTP/3, and print a link that steers between both',
      { preset: false },
    ),
    option('--tcp-port <n>', `with --pathways: the second port (h1, h2; default: ${TCP_PORT})`, { min: 0 }),
    option('--open', 'open a Chromium that can do h2, h3 and racing against this origin', { preset: false }),
    option(
      '--netlog <file>',
      "keep the NetLog of the Chromium that is opened, or started by hand as printed: some 100 MB for a minute's play",
    ),
    origin('the server; instrumented reports its transport (Server-Timing, CMSD)'),
  );
  withInstrumentedOptions(command)
    .addHelpText(
      'after',
      '\nPort 0 selects a free port. The options of the instrumented origin need --origin instrumented.\nSteering between pathways: docs/steering.md\n',
    )
    .action(async (dir: string | undefined, options: ServeOptions) => {
      await runServe({ ...options, root: shell.root, contentDir: dir ? path.resolve(dir) : null });
    });
}

const withInstrumentedOptions = (command: Command): Command =>
  withOptions(
    command,
    'instrumented',
    option('--cc <name>', 'congestion controller of TCP and QUIC', { choices: congestionControllers }),
    option('--emulated-connections <n>', 'Cubic connections whose share QUIC takes', { min: 1 }),
    option('--initial-window <packets>', 'initial congestion window of QUIC', { min: 2 }),
    option('--max-window <packets>', 'largest congestion window of QUIC', { min: 2 }),
    option('--zero-rtt', 'accept requests in the first packet of a resumed QUIC connection'),
    option(
      '--transport-log <file>',
      'write a JSON line per connection every 100 ms: RTT, window, loss, rate',
    ),
  );

/** Default port of the origin without HTTP/3. */
const TCP_PORT = 8444;

/** Options of `pitwall serve`. */
interface ServeOptions {
  readonly port: number;
  readonly httpsPort: number;
  readonly open: boolean;
  /** Whether the same files are also served without HTTP/3. */
  readonly pathways: boolean;
  readonly tcpPort?: number;
  /** File for a copy of the NetLog. */
  readonly netlog?: string;
  readonly origin: OriginName;
  /** Congestion controller; this option and those below it are for the instrumented origin only. */
  readonly cc?: CongestionController;
  readonly emulatedConnections?: number;
  readonly initialWindow?: number;
  readonly maxWindow?: number;
  readonly zeroRtt?: boolean;
  readonly transportLog?: string;
}

type OriginName = 'caddy' | 'instrumented';

/** Functions that start an origin, by the name that people give to `--origin`. */
const originStarts: Readonly<
  Record<OriginName, (serving: OriginOptions, asked: ServeOptions) => Promise<Origin>>
> = {
  caddy: (serving, asked) => {
    const [flag] = Object.entries(flagsOf(asked)).find(([, value]) => value !== undefined) ?? [];
    if (flag !== undefined) throw usageError(`${flag} needs --origin instrumented.`);
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

/** Makes the options of the instrumented origin. TCP and QUIC get one controller: that makes them comparable. */
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

/** Path below which the demo is served at a pace. */
const PACED = '/paced';
/** Path at which the page asks for races. */
const RACES = '/races';

/** Serves until Ctrl-C, SIGTERM, or until the opened browser is closed. */
async function runServe(options: Asked): Promise<void> {
  if (options.tcpPort !== undefined && !options.pathways) throw usageError('--tcp-port needs --pathways.');
  const mpds = options.contentDir === null ? null : mpdsIn(options.contentDir);
  await buildApp(options.root, print);
  const interrupted = signalled();
  const started: Stoppable[] = [];
  try {
    const races = await startRaces(options);
    if (races) started.push(races);
    const browser = show(options, {
      ...(await startOrigins(options, { started, races })),
      races,
      mpds,
      print,
    });
    await Promise.race([interrupted, ...(browser ? [browser.closed] : [])]);
    await browser?.close();
  } finally {
    await Promise.all(started.map((server) => server.stop()));
    if (started.length > 0) print('Stopped.');
  }
}

/** Starts what reads the races of the browser. Without it the page plays all the same. */
async function startRaces({ netlog }: Pick<ServeOptions, 'netlog'>): Promise<RaceServer | null> {
  try {
    return await startRaceServer(netlog === undefined ? null : path.resolve(netlog));
  } catch (error) {
    if (netlog !== undefined) throw error;
    print(`The page will show no races while they happen. ${(error as Error).message}`);
    return null;
  }
}

interface Showing extends Started, Pick<Served, 'mpds'> {
  readonly races: RaceServer | null;
  print(line: string): void;
}

/** Prints what is served, and opens a browser where one is wanted and can be seen. */
function show(
  { open }: Pick<ServeOptions, 'open'>,
  { origin, tcpOrigin, mpds, races, print }: Showing,
): ReturnType<typeof openChromium> | null {
  const page = `${origin.httpUrl}/`;
  const links = tcpOrigin ? streamsOf(origin, mpds).map((mpd) => steeredLink(page, mpd, tcpOrigin)) : [];
  const { host, httpsPort } = origin;
  const spki = [origin, ...(tcpOrigin ? [tcpOrigin] : [])].map((each) => each.spki).join(',');
  const target = { origin: { host, httpsPort, spki }, start: links[0] ?? page };
  const watched = { ...target, ...(races && { netLogFile: races.netLogFile }) };
  const { chromium } = tools();
  const opens = open && chromium && hasDisplay() ? chromium : null;
  // Two browsers cannot write one NetLog.
  const command = chromium && chromiumCommand(chromium, opens ? target : watched);
  const hasRaces = races !== null && opens === null;
  print(formatServed(origin, { start: page, chromium: command, hasRaces, mpds, links, tcpOrigin }));
  return opens ? openChromium(opens, watched) : null;
}

interface Started {
  readonly origin: Origin;
  readonly tcpOrigin: Origin | null;
}

/** A server or program that runs until the command ends. */
interface Stoppable {
  stop(): Promise<void>;
}

interface Asked extends ServeOptions {
  readonly root: string;
  readonly contentDir: string | null;
}

interface Around {
  /** Servers that run: each is added as soon as it does. */
  readonly started: Stoppable[];
  readonly races: RaceServer | null;
}

/** Starts the origin with the demo, also paced, and, with `--pathways`, an origin with the same files without HTTP/3. */
async function startOrigins(options: Asked, { started, races }: Around): Promise<Started> {
  const { contentDir, root, port, httpsPort, tcpPort = TCP_PORT } = options;
  const start = async (...serving: Parameters<(typeof originStarts)['caddy']>): Promise<Origin> => {
    const origin = await originStarts[options.origin](...serving);
    started.push(origin);
    return origin;
  };
  const demo = demoMounts();
  const paced = await startPacedServer(demo);
  started.push(paced);
  const files = {
    host: HOST,
    mounts: {
      ...demo,
      [PACED]: { proxyUrl: paced.proxyUrl },
      ...(contentDir ? { '/content': contentDir } : {}),
    },
    accessLogLimitBytes: ACCESS_LOG_LIMIT_BYTES,
  };
  const tcpOrigin = options.pathways
    ? await start({ ...files, httpsPort: tcpPort, protocols: ['h1', 'h2'] }, withoutTransportLog(options))
    : null;
  const origin = await start(
    {
      ...files,
      mounts: {
        ...files.mounts,
        ...(races && { [RACES]: { proxyUrl: races.proxyUrl, isPrivate: true as const } }),
      },
      httpPort: port,
      httpsPort,
      appFolder: path.join(root, 'dist'),
      answers: (ports) => ({
        '/pitwall.json': JSON.stringify(pageFacts(HOST, ports, { tcpOrigin, races: races !== null })),
      }),
    },
    options,
  );
  return { origin, tcpOrigin };
}

/** Leaves out the transport log for the second port: two programs cannot write one file. */
const withoutTransportLog = ({ transportLog: _, ...others }: ServeOptions): ServeOptions => others;

/** Returns addresses of the streams that are served: the MPDs of the user's own folder, or else the demo. */
const streamsOf = ({ httpsUrl }: Pick<Origin, 'httpsUrl'>, mpds: readonly string[] | null): string[] =>
  mpds === null || mpds.length === 0
    ? [`${httpsUrl}/media/demo/manifest.mpd`]
    : mpds.map((name) => `${httpsUrl}/content/${encodeURIComponent(name)}`);

/** Returns a link to the page that plays a stream and steers between both pathways. */
export const steeredLink = (page: string, mpdUrl: string, tcp: Pick<Origin, 'httpsUrl'>): string =>
  `${page}?mpd=${formatQueryValue(mpdUrl)}&pathway=tcp=${formatQueryValue(tcp.httpsUrl)}&steering=throughput`;

interface Served {
  readonly start: string;
  /** The command that starts a browser for this origin; null where there is no Chromium. */
  readonly chromium: string | null;
  /** Whether the page shows the races of that browser while they happen. */
  readonly hasRaces: boolean;
  /** Names of the MPDs in a folder of the user's own; null where none is served. */
  readonly mpds: readonly string[] | null;
  /** Links to the page with steering, one for each stream; none without a second port. */
  readonly links: readonly string[];
  /** The second port, without HTTP/3. */
  readonly tcpOrigin: Pick<Origin, 'httpsUrl'> | null;
}

/** Formats what is served: addresses, what the origin offers, and how to see h3 in a browser of one's own. */
export function formatServed(origin: Pick<Origin, 'httpsUrl'>, served: Served): string {
  const { start, chromium, hasRaces, mpds } = served;
  return [
    '',
    `Pitwall is ready:  ${start}`,
    '',
    `  page     ${start}  (any browser; its own copy of the demo is http/1.1)`,
    `  origin   ${origin.httpsUrl}/media/demo/manifest.mpd  (http/1.1, h2 and h3 on one port)`,
    ...contentLines(origin, mpds),
    ...pathwayLines(served),
    '',
    'The certificate of the origin is self-signed. For h2 and h3 a browser must trust its key. Start Chromium with:',
    '',
    `      ${chromium ?? `install Chromium, then ${setUpAgain()} to get the command`}`,
    '',
    ...(hasRaces ? ['The page then shows the races of this Chromium while they happen.', ''] : []),
    'Ctrl-C stops the servers.',
  ].join('\n');
}

function contentLines({ httpsUrl }: Pick<Origin, 'httpsUrl'>, mpds: Served['mpds']): string[] {
  if (mpds === null) return [];
  return mpds.length > 0
    ? streamsOf({ httpsUrl }, mpds).map((address) => `  content  ${address}`)
    : [
        `  content  ${httpsUrl}/content/  (your folder has no MPD at its top level: add the path of one below it)`,
      ];
}

function pathwayLines({ links, tcpOrigin }: Pick<Served, 'links' | 'tcpOrigin'>): string[] {
  if (tcpOrigin === null) return [];
  return [
    `  tcp      ${tcpOrigin.httpsUrl}  (the same files over http/1.1 and h2 only)`,
    ...links.map((link) => `  steered  ${link}`),
  ];
}

/** Returns the names of the MPDs in a folder, not below it. @throws Error in one sentence when it cannot be read */
export function mpdsIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.toLowerCase().endsWith('.mpd'))
      .sort();
  } catch (error) {
    throw new Error(formatFileError(folder, error));
  }
}

/** Makes what the page reads about the place it is served from: `pitwall.json` beside index.html. */
export function pageFacts(
  host: string,
  { httpsPort }: Pick<Origin, 'httpsPort'>,
  { tcpOrigin = null, races = false }: Partial<Facts> = {},
) {
  const url = `https://${host}:${httpsPort}`;
  return {
    demoUrl: `${url}/media/demo/manifest.mpd`,
    plainDemoUrl: 'media/demo/manifest.mpd',
    origins: [
      { url, offers: ['http/1.1', 'h2', 'h3'] },
      ...(tcpOrigin ? [{ url: tcpOrigin.httpsUrl, offers: ['http/1.1', 'h2'] }] : []),
    ],
    paces: paces.map(({ id, label, about }) => ({
      label,
      about,
      demoUrl: `${url}${PACED}/${id}/{viewer}/media/demo/manifest.mpd`,
      plainDemoUrl: `paced/${id}/{viewer}/media/demo/manifest.mpd`,
    })),
    races,
  };
}

interface Facts {
  readonly tcpOrigin: Pick<Origin, 'httpsUrl'> | null;
  /** Whether the page may ask for races. */
  readonly races: boolean;
}
