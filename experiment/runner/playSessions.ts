import path from 'node:path';
import { print } from '../../node/print.ts';
import { isQuic } from '../factors/factor.ts';
import type { CampaignMounts } from './campaignMounts.ts';
import { instrumentedOf } from './instrumentedPlan.ts';
import type { Prepared } from './prepare.ts';
import type { RunOptions } from './runOptions.ts';
import { runPlaywright } from './runPlaywright.ts';
import type { CampaignPlan, PlannedSession } from '../design/plan.ts';
import { networksToPlay } from '../design/variants.ts';
import { commonOf } from '../factors/arms.ts';
import { formatFarProxies } from '../session/farProxy.ts';
import { formatOtherRuns, otherRuns, RUN_FOLDER, runRootPid } from '../session/lock/machineRuns.ts';
import { type Part, suffixOf } from '../session/lock/part.ts';
import { ofMachine } from '../session/machineFailure.ts';
import { mediaUrlsByMpd } from '../session/mediaUrls.ts';
import {
  isOwn,
  type CompareCell,
  type CompareGroup,
  type ComparePlan,
  appFolderOf,
  ORIGIN_HOST,
  sharedKey,
  type SharedOrigin,
} from '../session/plan.ts';
import { browserOf } from '../../lab/browser/registry.ts';
import type { Origin } from '../../lab/caddy/origin.ts';
import { keepRunning } from '../../lab/caddy/keepRunning.ts';
import { udpMissing } from '../../lab/caddy/udpMissing.ts';
import { requireTemporaryFolder } from '../../lab/temporaryFolder.ts';
import { requireTool } from '../../lab/tools.ts';
import type { Trusted } from '../../node/trust.ts';
import { logDirOf } from '../../node/logFiles.ts';
import type { PlacedPathway } from '../../src/player/steering/pathways.ts';
import { cellOrigin } from '../session/cellOrigin.ts';

export interface ReadyToPlay {
  readonly chromiumPath: string;
  /** Address of the page. */
  readonly appUrl: string;
  readonly mediaUrls: NonNullable<ComparePlan['mediaUrls']>;
  readonly trusted: Trusted | undefined;
}

export type WhenReady = (about: ReadyToPlay) => Promise<void>;

/** Sessions that are no pairs: each is played whatever the folder has, and its log is in the folder itself. */
interface PlayedAlone {
  /** Servers with the same files as that of the stream. */
  readonly pathways: readonly PlacedPathway[];
}

/** Sessions of a plan, whole pairs of it. */
interface SessionsToPlay {
  readonly plan: CampaignPlan;
  /** The folder of the run, which has the plan. */
  readonly outDir: string;
  readonly sessions: readonly PlannedSession[];
  readonly part: Part;
  /** What was prepared for all sessions of the plan. */
  readonly prepared: Prepared;
  /** How sessions that are no pairs are played; absent: the sessions are pairs. */
  readonly alone?: PlayedAlone;
  /** Called when everything is ready to play, unless each session has an origin of its own. */
  readonly ready?: WhenReady | undefined;
}

/** How sessions are played. */
interface Playing extends Pick<RunOptions, 'root' | 'workers' | 'shard' | 'keepNetlog' | 'devtools'> {
  /** Time after which sessions that still play are cut off, ms; absent: no limit. */
  readonly limitMs?: number;
  /** Time that sessions have; absent: as long as they take. */
  readonly budget?: ComparePlan['budget'];
}

/** Plays the sessions that have no log yet; starts our origins where sessions share some. Resolves to the exit code. */
export async function playSessions(
  options: Playing,
  { plan, outDir, sessions, part, prepared, alone, ready }: SessionsToPlay,
): Promise<number> {
  const { campaign, networks } = plan;
  const { trusted } = prepared;
  const groups = alone
    ? [groupAlone(sessions, alone.pathways, prepared.mpdPath)]
    : groupsOf(campaign, sessions, prepared);
  const cells = groups.flatMap((group) => group.cells);
  const programs = programsFor(cells);
  requireTemporaryFolder(RUN_FOLDER);
  sayWhatDisturbs(cells);
  const isShared = networks.length === 0;
  if (isShared) await ofMachine(mustHaveUdp(cells));
  const served = servedFor(plan, prepared);
  const origins = isShared
    ? await ofMachine(startSharedOrigins({ ...served, cells, outDir, part }))
    : NO_ORIGINS;
  try {
    const mediaUrls = await mediaUrlsByMpd(cells, { print, trusted });
    if (isShared && ready)
      await ready({ chromiumPath: requireTool('chromium'), appUrl: appUrlOf(origins), mediaUrls, trusted });
    const { shared, sharedBy, started } = origins;
    const { budget, keepNetlog = false, devtools = false } = options;
    const toPlay = {
      logDir: alone ? outDir : logDirOf(outDir),
      seconds: campaign.seconds,
      presetId: campaign.preset,
      ...planBrowser(campaign),
      ...served,
      ...(budget && { budget }),
      networks: networksToPlay(plan),
      groups,
      keepNetLog: keepNetlog,
      devTools: devtools,
      programs,
      mediaUrls,
      shared,
      ...(sharedBy && { sharedBy }),
      ...(trusted && { trustedSpki: trusted.spkiSha256Base64 }),
    };
    return await whileKept(started, () => runPlaywright(options, toPlay));
  } finally {
    await origins.stop();
  }
}

/** Returns what origins serve, and how. */
function servedFor(
  plan: CampaignPlan,
  { appFolder, mounts, pages, weights }: Prepared,
): Pick<ComparePlan, 'appFolder' | 'mounts' | 'pages' | 'weights' | 'instrumented'> {
  const instrumented = instrumentedOf(plan);
  const own = { ...(pages && { pages }), ...(weights && { weights }) };
  return { appFolder, mounts, ...own, ...(instrumented && { instrumented }) };
}

/** Returns the browser profile of all sessions; none where cold and warm are in turn, as each session then has its own. */
const planBrowser = ({
  browserProfile,
}: CampaignPlan['campaign']): Partial<Pick<ComparePlan, 'browserProfile'>> =>
  browserProfile === undefined || browserProfile === 'in-turn' ? {} : { browserProfile };

function groupsOf(
  campaign: CampaignPlan['campaign'],
  sessions: readonly PlannedSession[],
  { mpdPath, live }: Pick<CampaignMounts, 'mpdPath' | 'live'>,
): CompareGroup[] {
  const groups = new Map<string, CompareCell[]>();
  for (const { content, ...cell } of sessions) {
    const { pair } = cell.design;
    const stream = live.get(content);
    const common = commonOf(campaign, cell);
    const played = { ...cell, common, mpd: mpdPath(content), ...(stream && { live: stream }) };
    groups.set(pair, [...(groups.get(pair) ?? []), played]);
  }
  return [...groups].map(([name, cells]) => ({ name, isPair: true, cells }));
}

/** Makes one group of sessions that know no place in a design. */
function groupAlone(
  sessions: readonly PlannedSession[],
  pathways: readonly PlacedPathway[],
  mpdPath: CampaignMounts['mpdPath'],
): CompareGroup {
  const addresses = pathways.map(({ id, base }) => `${id}=${base}`);
  const cells = sessions.map(({ content, ...session }) => ({
    ...session,
    mpd: mpdPath(content),
    ...(addresses.length > 0 && { pathways: addresses }),
    design: null,
  }));
  return { name: 'every rule over every transport', isPair: false, cells };
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
function programsFor(cells: readonly CompareCell[]): ComparePlan['programs'] {
  const asked = new Set(cells.map(({ browser }) => browserOf(browser)));
  return Object.fromEntries([...asked].map(({ id, tool }) => [id, requireTool(tool)]));
}

/** Prints a sentence for each other run on this machine, and each proxy. @throws Error about a proxy that makes a session another one */
function sayWhatDisturbs(cells: readonly CompareCell[]): void {
  const others = formatOtherRuns(otherRuns(runRootPid()));
  const proxies = formatFarProxies(cells);
  for (const sentence of [others, ...proxies]) if (sentence !== null) print(sentence);
}

const appUrlOf = ({ shared, sharedBy }: SharedOrigins): string =>
  (shared ?? Object.values(sharedBy ?? {})[0]!).appUrl;

/** Requires UDP for QUIC: its sessions would fail one by one, as if by the streams' fault. @throws Error in one sentence */
async function mustHaveUdp(cells: readonly CompareCell[]): Promise<void> {
  const needs = cells.some((cell) => isOwn(cell) && isQuic(cell.transport));
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

interface Wanted extends Pick<ComparePlan, 'mounts' | 'instrumented' | 'appFolder' | 'pages'> {
  readonly cells: readonly CompareCell[];
  /** The folder of the run, for the logs of origins. */
  readonly outDir: string;
  readonly part: Part;
}

/** Starts the shared origins. @throws Error in one sentence when one of them does not start; the others are then stopped */
async function startSharedOrigins(wanted: Wanted): Promise<SharedOrigins> {
  const kinds = new Map(wanted.cells.map((cell) => [sharedKey(cell), cell]));
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
