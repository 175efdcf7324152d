import { readFileSync } from 'node:fs';
import type { TlsRecords } from '../design/campaignFile.ts';
import type { Network, PlannedLink, PlannedSession } from '../design/plan.ts';
import type { PageFolders } from '../resolve/pages/pages.ts';
import { formatTitle } from '../factors/arms.ts';
import type { SessionFactors } from '../factors/registry.ts';
import { knownBrowsers } from '../resolve/knownBrowsers.ts';
import type { RuleFile } from '../../src/abr/ruleFile.ts';
import { valueOf } from '../../src/shared/result.ts';
import { parseViewerScript } from '../../src/shared/viewerScript.ts';
import { browserOf } from '../../lab/browser/registry.ts';

/** A file of weights, or the JavaScript of a rule file. */
export interface FileForPage {
  readonly spec: string;
  readonly file: string;
  /** The rule file as its author wrote it, which logs name; absent for weights. */
  readonly own?: Pick<RuleFile, 'name' | 'sha256'>;
}

/** The run that plays. */
export interface RunFacts {
  /** When the run began, ms: failures that were kept before are those of earlier runs. */
  readonly startedAtUnixMs: number;
  /** Id of the process whose tree belongs to the run. */
  readonly rootPid: number;
  /** Folder of the temporary folders of all runs on this machine. */
  readonly runsFolder: string;
  /** Lock of the session that starts now, of all that belong to `rootPid`. */
  readonly startLock: string;
}

/** What `pitwall compare` asks of Playwright: a JSON file whose path is in the environment variable below. */
export interface ComparePlan extends RunFacts {
  /** Folder of the logs, each as `<id>.json`. */
  readonly logDir: string;
  readonly seconds: number;
  readonly presetId: string;
  /** Whether browsers are cold or warm; absent: cold. */
  readonly browserProfile?: 'cold' | 'warm';
  readonly groups: readonly CompareGroup[];
  /** The program of each browser that is played in, by the browser's id. */
  readonly programs: Readonly<Record<string, string>>;
  /** Whether whole NetLogs stay beside the logs: 5 MB a minute, a tenth of it packed. */
  readonly keepNetLog: boolean;
  /** Whether DevTools, too, is asked about every request: see `disableNetworkEvents` for what that costs. */
  readonly devTools: boolean;
  /** The page and our own contents, for sessions that share one origin; null where each has its own behind its link. */
  readonly shared: SharedOrigin | null;
  /** Page and contents for cells with a controller or a page, by `sharedKey`: each origin sends, or serves, its own. */
  readonly sharedBy?: Readonly<Record<string, SharedOrigin>>;
  /** Media files by the address of the MPD: one on each other server that the stream comes from. */
  readonly mediaUrls?: Readonly<Record<string, readonly string[]>>;
  /** The built page of this checkout, for sessions over links. */
  readonly appFolder: string;
  /** The built pages of cells that name one, by that name. */
  readonly pages?: PageFolders;
  /** Folders of our own contents by URL prefix, for sessions over links. */
  readonly mounts: Readonly<Record<string, string>>;
  /** Files by the texts of the rules that are made of them: what the page receives instead, and the file. */
  readonly weights?: Readonly<Record<string, FileForPage>>;
  /** How the instrumented origin is started; absent: Caddy serves. */
  readonly instrumented?: InstrumentedPlan;
  /** Networks of the campaign; links name them. */
  readonly networks: readonly Network[];
  /** Time that sessions have; absent: as long as they take. */
  readonly budget?: SessionBudget;
  /** Hashes of certificates elsewhere that browsers accept (`Trusted`); absent: public ones alone. */
  readonly trustedSpki?: string;
}

/** The time that sessions have: none is begun, and none repeated, that would not end in it. */
interface SessionBudget {
  readonly untilUnixMs: number;
  /** Time that one session takes, ms. */
  readonly sessionMs: number;
}

/** Returns whether so many sessions, one after the other, end in the time that there is. */
export const hasTimeFor = (
  { budget }: Pick<ComparePlan, 'budget'>,
  sessions: number,
  nowUnixMs = Date.now(),
): boolean => budget === undefined || nowUnixMs + sessions * budget.sessionMs <= budget.untilUnixMs;

/** The settings of the instrumented origin that all cells share. */
export interface InstrumentedPlan {
  readonly initialWindowPackets: number;
  readonly tcpPacing: boolean;
  readonly tlsRecords: TlsRecords;
  readonly zeroRtt: boolean;
}

export interface SharedOrigin {
  /** Address of the page. */
  readonly appUrl: string;
  readonly httpsPort: number;
  readonly spkiSha256Base64: string;
  /** Log of the requests of all sessions of the origin; absent in runs of older versions. */
  readonly accessLogFile?: string;
  /** File with the process id of the `Origin`: by it a session knows whether the origin runs. */
  readonly pidFile: string;
  /** Log that the instrumented origin writes about the connections of all its sessions. */
  readonly transportLogFile?: string;
}

/** Returns the folder of the built page that a cell plays in. */
export function appFolderOf(
  { appFolder, pages }: Pick<ComparePlan, 'appFolder' | 'pages'>,
  { page }: Pick<CompareCell, 'page'>,
): string {
  const folder = page === undefined ? appFolder : pages?.[page];
  if (folder === undefined) throw new Error(`the page ${page} is played in, but was not built`);
  return folder;
}

/** Returns the program of a cell's browser. */
export function programOf(
  { programs }: Pick<ComparePlan, 'programs'>,
  { browser }: Pick<CompareCell, 'browser'>,
): string {
  const { id, label } = browserOf(browser);
  const program = programs[id];
  if (program === undefined)
    throw new Error(`${label} is to be played in, but its program was not looked for`);
  return program;
}

/** Returns what distinguishes the origins on loopback that sessions share; empty for cells that are all alike. */
export const sharedKey = ({ controller, page }: Pick<CompareCell, 'controller' | 'page'>): string =>
  [controller, page].filter((part) => part !== undefined).join(' ');

/** Host name above those of the measured sessions: each has its own below it, so that the access log distinguishes them. */
export const ORIGIN_HOST = 'origin.test';

/** Sessions that are played one after the other on one machine, in this order, where they are a pair of a campaign. */
export interface CompareGroup {
  readonly name: string;
  readonly isPair: boolean;
  readonly cells: readonly CompareCell[];
}

/** A session that the lab plays. What it has of a factor is absent where that is as usual. */
export interface CompareCell extends SessionFactors {
  /** A file name and a host label. */
  readonly id: string;
  /** Whether the browser is cold or warm; absent: as the plan says. */
  readonly browserProfile?: 'cold' | 'warm';
  /** A viewer's script, as in a link; absent: the viewer only watches. */
  readonly viewer?: string;
  /** The pathways of a stream elsewhere, as in a link: `tcp=https://tcp.cdn.example`. */
  readonly pathways?: readonly string[];
  /**
   * A path of our own origin, `/media/demo/manifest.mpd`, or the address of an MPD anywhere. For a transfer it is a small file
   * beside those that are downloaded.
   */
  readonly mpd: string;
  /** The live stream that the session begins for itself, below its prefix; absent: what is played is there already. */
  readonly live?: LiveCell;
  /** Emulated link; null: none. */
  readonly link: PlannedLink | null;
  /** Place of the session in the campaign; null outside campaigns. */
  readonly design: PlannedSession['design'] | null;
  /** What the sessions of a pair that are compared with each other have in common (`commonOf`); absent outside campaigns. */
  readonly common?: string;
}

/** What a session's live stream repeats. */
export interface LiveCell {
  /** Prefix of the stream's URLs on the origin. */
  readonly prefix: string;
  /** Folder of the encoded tracks, or of a padded stream. */
  readonly folder: string;
  readonly isPadded: boolean;
  readonly isLowLatency: boolean;
  /** Distance to the live edge that the MPD suggests, s; absent: as usual. */
  readonly delaySeconds?: number;
  /** How far back the MPD lets the stream be played, s; absent: as usual. */
  readonly windowSeconds?: number;
}

/** Returns whether the browser of a cell is cold or warm. */
export const browserProfileOf = (
  plan: Pick<ComparePlan, 'browserProfile'>,
  cell: Pick<CompareCell, 'browserProfile'>,
): 'cold' | 'warm' => cell.browserProfile ?? plan.browserProfile ?? 'cold';

export const isOwn = ({ mpd }: Pick<CompareCell, 'mpd'>): boolean => mpd.startsWith('/');

/** How long a stream may take to show its first frame before the session counts as one that never started. */
export const JOIN_LIMIT_MS = 60_000;

/** Returns the join limit, ms. A pause of the viewer's script before the first frame is no time that the stream takes. */
export function joinLimitMs({ viewer }: Pick<CompareCell, 'viewer'>): number {
  const steps = viewer === undefined ? [] : valueOf(parseViewerScript(viewer));
  return steps.reduce<number>((limitMs, { when, action, ms }) => {
    const isTooLate = when.kind === 'time' && when.ms >= limitMs;
    return action === 'pause' && !isTooLate ? limitMs + ms : limitMs;
  }, JOIN_LIMIT_MS);
}

export const PLAN_VARIABLE = 'PITWALL_COMPARE_PLAN';

export function readPlan(): ComparePlan {
  const file = process.env[PLAN_VARIABLE];
  if (!file) throw new Error(`${PLAN_VARIABLE} is not set: start comparisons with "pitwall compare".`);
  return JSON.parse(readFileSync(file, 'utf8')) as ComparePlan;
}

/** Returns what a session is called while it is played; it names all of an arm, as Playwright takes a title once a group. */
export const titleOf = (cell: SessionFactors & Pick<CompareCell, 'design'>): string =>
  formatTitle(cell, { browsers: knownBrowsers });
