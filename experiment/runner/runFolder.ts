import { isSimulated } from '../../src/telemetry/isSimulated.ts';
import { readOwnLog } from './finishedSessions.ts';
import { keepPlan } from './keepPlan.ts';
import type { CampaignPlan, PlannedSession } from '../design/plan.ts';
import { brokenPair, formatCause, setPairAside } from '../session/repeatPair.ts';
import { comparedIn, isSplit, SPLIT } from '../verdict/flagged.ts';
import { logDirOf } from '../../node/logFiles.ts';
import { otherParameters } from '../../src/abr/parameters.ts';
import { abrRules } from '../../src/abr/registry.ts';
import { ruleOf, splitWeights } from '../../src/abr/ruleText.ts';
import { formatCount } from '../../src/shared/format.ts';
import { pickFields } from '../../src/shared/jsonObject.ts';
import type { SessionLog } from '../../src/telemetry/schema/sessionLog.ts';

/** The folder of a run, opened once: the plan that it goes on with, and what it has of the sessions of that plan. */
export interface RunFolder {
  readonly outDir: string;
  readonly plan: CampaignPlan;
  /** Returns how a session was played before the folder was opened; null where it had no whole log. Each log is read once. */
  environmentOf(session: PlannedSession): KeptEnvironment | null;
}

/** What is kept of the environment of each session: its emulated link alone may have thousands of entries. */
const KEPT = ['machine', 'ruleParameters', 'simulator'] as const;
type KeptEnvironment = Pick<SessionLog['environment'], (typeof KEPT)[number]>;

/**
 * Opens the folder of a run for a plan, and writes the plan into a folder that has none. Sessions of the simulator are all
 * played anew, so that it does not matter which parameters earlier ones had.
 *
 * @throws Error in one sentence about a folder with another plan, with sessions of the other kind, or of other parameters
 */
export function openRunFolder(
  outDir: string,
  asked: CampaignPlan,
  { simulates }: { readonly simulates: boolean },
): RunFolder {
  const environments = new Map<string, KeptEnvironment | null>();
  const folder: RunFolder = {
    outDir,
    plan: keepPlan(outDir, asked),
    environmentOf(session) {
      if (!environments.has(session.id)) {
        const log = readOwnLog(outDir, session);
        environments.set(session.id, log && pickFields(log.environment, KEPT));
      }
      return environments.get(session.id)!;
    },
  };
  refuseOtherPlayer(folder, simulates);
  if (!simulates) refuseOtherParameters(folder);
  return folder;
}

/**
 * Refuses a folder with sessions of the other kind. Sessions of browsers and of the simulator are never in one folder:
 * whichever came first would count for both. The first log that is found stands for all.
 */
function refuseOtherPlayer({ outDir, plan, environmentOf }: RunFolder, simulates: boolean): void {
  for (const session of plan.sessions) {
    const environment = environmentOf(session);
    if (environment === null) continue;
    if (isSimulated({ environment }) === simulates) return;
    throw new Error(
      simulates
        ? `${outDir}: This folder has sessions that browsers played, and simulated ones need a folder of their own: name another one with --out.`
        : `${outDir}: This folder has simulated sessions, and those of browsers need a folder of their own: name another one with --out.`,
    );
  }
}

/**
 * Refuses a folder whose rules had other parameters. A version may play the same text of a rule with others than the version
 * that began the folder: an arm would have both. The first log of each rule stands for all.
 */
function refuseOtherParameters({ outDir, plan, environmentOf }: RunFolder): void {
  const seen = new Set<string>();
  for (const session of plan.sessions) {
    if (seen.has(session.rule)) continue;
    const environment = environmentOf(session);
    if (environment === null) continue;
    seen.add(session.rule);
    const rule = ruleOf(splitWeights(session.rule).spec, abrRules);
    const [other] = rule.ok ? otherParameters(environment.ruleParameters, rule.value) : [];
    if (other)
      throw new Error(
        `${outDir}: Its sessions of ${session.rule} were played with ${other.name}=${other.recorded}, and this version plays them with ${other.name}=${other.now}. Sessions of both are not compared: name another folder with --out, or go on with the version that began this one.`,
      );
  }
}

/** What a folder lacks of some sessions. */
export interface ToDo {
  /** Number of sessions that are to be played. */
  readonly count: number;
  /** A sentence about each kind of finished sessions that are played again. */
  readonly notes: readonly string[];
}

/**
 * Finds what is to be played of some sessions of a folder: those without a whole log, and those that earlier runs left in parts
 * of their pairs. `again` first sets invalidated sessions aside.
 */
export async function findToDo(
  folder: RunFolder,
  sessions: readonly PlannedSession[],
  { again, nowUnixMs }: { readonly again: boolean; readonly nowUnixMs: number },
): Promise<ToDo> {
  const aside = again ? await setAsideInvalidated(folder, sessions) : null;
  const missing = sessions.filter(
    (session) => folder.environmentOf(session) === null || aside?.ids.has(session.id),
  );
  const broken = await countBroken(folder, sessions, nowUnixMs);
  return {
    count: missing.length + broken,
    notes: [...(aside ? [formatAgain(aside)] : []), ...(broken > 0 ? [formatBroken(broken)] : [])],
  };
}

/** Sessions that were set aside to be played again. */
interface SetAside {
  readonly ids: ReadonlySet<string>;
  /** How many of them were invalidated; the others are compared with these. */
  readonly invalidated: number;
}

/**
 * Turns the last try of each invalidated session, and of those that it is compared with, into a failed try: the log becomes
 * the log of a try, the reason goes into the list of failures, and the session is to be played again. Ignores what it measured.
 */
export async function setAsideInvalidated(
  { outDir, plan: { campaign }, environmentOf }: RunFolder,
  sessions: readonly PlannedSession[],
): Promise<SetAside> {
  const logDir = logDirOf(outDir);
  const ids = new Set<string>();
  let invalidated = 0;
  for (const pair of comparedIn({ sessions, campaign })) {
    const logs = pair.flatMap((session) => {
      const environment = environmentOf(session);
      return environment === null ? [] : [{ session, environment }];
    });
    const split = isSplit(logs) ? [SPLIT] : [];
    const flagged = logs.flatMap(({ session, environment }) => {
      const flags = [...(environment.machine?.flags ?? []), ...split];
      return flags.length > 0 ? [{ session, flags }] : [];
    });
    const [first] = flagged;
    if (!first) continue;
    const because =
      split.length > 0
        ? 'its sessions were played on more than one machine'
        : formatCause(first.session, first.flags.join(' '));
    for (const { id } of await setPairAside({ logDir, pair }, because)) ids.add(id);
    invalidated += flagged.length;
  }
  return { ids, invalidated };
}

/** Counts the finished sessions that are to be played again, because earlier runs left their pairs in parts. */
async function countBroken(
  { outDir, plan: { campaign } }: RunFolder,
  sessions: readonly PlannedSession[],
  nowUnixMs: number,
): Promise<number> {
  let count = 0;
  for (const pair of comparedIn({ sessions, campaign })) {
    const broken = await brokenPair({ logDir: logDirOf(outDir), startedAtUnixMs: nowUnixMs, pair });
    count += broken?.finished.length ?? 0;
  }
  return count;
}

function formatAgain({ ids, invalidated }: SetAside): string {
  if (invalidated === 0) return 'no session was invalidated by host overload';
  const partners = ids.size - invalidated;
  const others =
    partners > 0 ? `, with ${formatCount(partners, 'other session')} that they are compared with` : '';
  return `${formatCount(invalidated, 'session was', 'sessions were')} invalidated by host overload and will be repeated${others}`;
}

const formatBroken = (count: number): string =>
  `${formatCount(count, 'finished session')} will be repeated, because a session that it is compared with failed in an earlier run`;
