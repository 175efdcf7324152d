import path from 'node:path';
import type { RunOptions } from './runOptions.ts';
import { ofMachine } from '../session/machineFailure.ts';
import { formatFarProxies } from '../session/farProxy.ts';
import { mediaUrlsByMpd } from '../session/mediaUrls.ts';
import type { Trusted } from '../../node/trust.ts';
import { runPlaywright } from './runPlaywright.ts';
import { keepOwnPage } from '../resolve/pages/pages.ts';
import { makeFolder } from '../../node/files.ts';
import { browserOf } from '../../lab/browser/registry.ts';
import { keepRunning } from '../../lab/caddy/keepRunning.ts';
import { udpMissing } from '../../lab/caddy/udpMissing.ts';
import { requireTemporaryFolder } from '../../lab/temporaryFolder.ts';
import { requireTool } from '../../lab/tools.ts';
import {
  appFolderOf,
  isOwn,
  ORIGIN_HOST,
  sharedKey,
  type CompareCell,
  type ComparePlan,
  type SharedOrigin,
} from '../session/plan.ts';
import type { Origin } from '../../lab/caddy/origin.ts';
import { cellOrigin } from '../session/cellOrigin.ts';
import { formatOtherRuns, otherRuns, RUN_FOLDER, runRootPid } from '../session/lock/machineRuns.ts';
import { suffixOf, type Part } from '../session/lock/part.ts';

export interface ToPlay extends Pick<
  ComparePlan,
  | 'logDir'
  | 'seconds'
  | 'presetId'
  | 'groups'
  | 'networks'
  | 'instrumented'
  | 'browserProfile'
  | 'weights'
  | 'pages'
  | 'budget'
> {
  readonly outDir: string;
  /** Folders of our own contents, by URL prefix. */
  readonly mounts: Readonly<Record<string, string>>;
  /** Certificates that browsers and probes trust beside the public ones. */
  readonly trusted?: Trusted | undefined;
  /** Called when everything is ready, unless each session has an origin of its own. */
  ready?(about: ReadyToPlay): Promise<void>;
}

export interface ReadyToPlay {
  readonly chromiumPath: string;
  /** Address of the page. */
  readonly appUrl: string;
  readonly mediaUrls: NonNullable<ComparePlan['mediaUrls']>;
}

/** Builds the page, starts our origin where sessions share one, and plays everything. Resolves to the exit code. */
export async function playAll(
  options: Pick<RunOptions, 'workers' | 'shard' | 'keepNetlog' | 'devtools'> & {
    readonly root: string;
    readonly part: Part;
    readonly limitMs?: number;
  },
  { outDir, ready, trusted, ...about }: ToPlay,
): Promise<number> {
  const programs = programsFor(about.groups);
  requireTemporaryFolder(RUN_FOLDER);
  makeFolder(outDir);
  const appFolder = await keepOwnPage(options.root, print);
  const isShared = about.networks.length === 0;
  sayWhatDisturbs(about.groups);
  if (isShared) await ofMachine(mustHaveUdp(about.groups));
  const origins = isShared
    ? await ofMachine(startSharedOrigins({ ...about, outDir, appFolder, part: options.part }))
    : NO_ORIGINS;
  try {
    const cells = about.groups.flatMap((group) => group.cells);
    const mediaUrls = await mediaUrlsByMpd(cells, { print, trusted });
    if (isShared && ready)
      await ready({ chromiumPath: requireTool('chromium'), appUrl: appUrlOf(origins), mediaUrls });
    const { shared, sharedBy, started } = origins;
    const plan = {
      ...about,
      ...watched(options),
      programs,
      appFolder,
      mediaUrls,
      shared,
      ...(sharedBy && { sharedBy }),
      ...(trusted && { trustedSpki: trusted.spkiSha256Base64 }),
    };
    return await whileKept(started, () => runPlaywright(options, plan));
  } finally {
    await origins.stop();
  }
}

async function whileKept(started: readonly Origin[], play: () => Promise<number>): Promise<number> {
  const kept = keepRunning(started, print);
  try {
    return await play();
  } finally {
    await kept.stop();
  }
}

/** @throws Error in one sentence when a browser of the sessions is missing */
function programsFor(groups: ToPlay['groups']): ComparePlan['programs'] {
  const asked = new Set(groups.flatMap(({ cells }) => cells.map(({ browser }) => browserOf(browser))));
  return Object.fromEntries([...asked].map(({ id, tool }) => [id, requireTool(tool)]));
}

/** Prints a sentence for each other run on this machine, and each proxy. @throws Error about a proxy that makes a session another one */
function sayWhatDisturbs(groups: ToPlay['groups']): void {
  const others = formatOtherRuns(otherRuns(runRootPid()));
  const proxies = formatFarProxies(groups.flatMap(({ cells }) => cells));
  for (const sentence of [others, ...proxies]) if (sentence !== null) print(sentence);
}

const print = (line: string): void => void process.stdout.write(`${line}\n`);

const appUrlOf = ({ shared, sharedBy }: SharedOrigins): string =>
  (shared ?? Object.values(sharedBy ?? {})[0]!).appUrl;

const watched = ({ keepNetlog = false, devtools = false }: Pick<RunOptions, 'keepNetlog' | 'devtools'>) => ({
  keepNetLog: keepNetlog,
  devTools: devtools,
});

/** Requires UDP for QUIC: its sessions would fail one by one, as if by the streams' fault. @throws Error in one sentence */
async function mustHaveUdp(groups: ToPlay['groups']): Promise<void> {
  const needs = groups.some(({ cells }) =>
    cells.some((cell) => isOwn(cell) && cell.transport.startsWith('h3')),
  );
  const missing = needs ? await udpMissing() : null;
  if (missing !== null)
    throw new Error(`${missing}. On this machine only h1 and h2 can be played, not h3-racing and h3-only.`);
}

/** The origins on loopback that sessions without links share: one for each controller and page. */
interface SharedOrigins extends Pick<ComparePlan, 'shared' | 'sharedBy'> {
  readonly started: readonly Origin[];
  stop(): Promise<void>;
}

/** Origins of sessions over links, which share none. */
const NO_ORIGINS: SharedOrigins = { shared: null, started: [], stop: () => Promise.resolve() };

type Wanted = Pick<ToPlay, 'groups' | 'mounts' | 'outDir' | 'instrumented' | 'pages'> & {
  readonly appFolder: string;
  readonly part: Part;
};

/** Starts the shared origins. @throws Error in one sentence when one of them does not start; the others are then stopped */
async function startSharedOrigins(wanted: Wanted): Promise<SharedOrigins> {
  const cells = wanted.groups.flatMap((group) => group.cells);
  const kinds = new Map(cells.map((cell) => [sharedKey(cell), cell]));
  const started: Origin[] = [];
  const stop = async (): Promise<void> => {
    await Promise.all(started.map((origin) => origin.stop()));
  };
  try {
    const found = new Map<string, SharedOrigin>();
    for (const [key, cell] of kinds) found.set(key, await startOne(wanted, cell, started));
    const shared = found.get('') ?? null;
    found.delete('');
    return { shared, sharedBy: Object.fromEntries(found), started, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startOne(
  { outDir, part, instrumented, mounts, ...wanted }: Wanted,
  cell: CompareCell,
  started: Origin[],
): Promise<SharedOrigin> {
  const { controller } = cell;
  const appFolder = appFolderOf(wanted, cell);
  const logFile = (what: string): string => path.join(outDir, logName(what, sharedKey(cell), part));
  const transportLogFile = logFile('transport');
  const { start } = cellOrigin(instrumented, controller === undefined ? {} : { controller });
  const origin = await start(
    { host: ORIGIN_HOST, mounts, appFolder, accessLogFile: logFile('access') },
    transportLogFile,
  );
  started.push(origin);
  return {
    appUrl: `http://localhost:${origin.httpPort}/`,
    httpsPort: origin.httpsPort,
    spkiSha256Base64: origin.spki,
    accessLogFile: origin.accessLogFile,
    pidFile: origin.pidFile,
    ...(instrumented && { transportLogFile }),
  };
}

/** Names an origin's log. Folders of parts are put together: no two may write a file of one name and other content. */
const logName = (what: string, key: string, part: Part): string =>
  [`origin-${what}`, key.replace(/[^\w-]+/g, '-')].filter((word) => word !== '').join('-') +
  `${suffixOf(part)}.jsonl`;
