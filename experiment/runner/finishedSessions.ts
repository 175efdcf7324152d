import { playbackHashOf } from './playbackHashOf.ts';
import { headlines } from './metricCells.ts';
import type { Measured, Metric } from '../../src/analysis/metrics/metric.ts';
import { metrics as known } from '../../src/analysis/metrics/registry.ts';
import { gaveUp, whyNotPlayed } from '../../src/analysis/timeline/played.ts';
import type { CampaignPlan, PlannedSession } from '../design/plan.ts';
import { comparedIn, invalidatingFlags, isSplit, SPLIT, withSplitFlags } from '../verdict/flagged.ts';
import type { PlayedSession } from '../verdict/scope.ts';
import { otherParameters } from '../../src/abr/parameters.ts';
import { abrRules } from '../../src/abr/registry.ts';
import { ruleOf, splitWeights } from '../../src/abr/ruleText.ts';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { logDirOf } from '../../node/logFiles.ts';
import { ownLog } from '../design/finishedLog.ts';
import type { SessionLog } from '../../src/telemetry/schema/sessionLog.ts';
import { brokenPair, formatCause, setPairAside } from '../session/repeatPair.ts';

/** What table and verdicts need of a session, from its log or from its row of metrics. */
export interface JudgedSession extends PlayedSession {
  /** Values by metric id, of the metrics that were asked for and of the campaign's primary one. */
  readonly figures: Pick<ReadonlyMap<string, Measured>, 'get'>;
  /** In which ways the machine was the bottleneck of a session over a link; empty for one that nobody watched. */
  readonly flags: readonly string[];
  /** Hash of what a simulator played; null for a real player. */
  readonly playbackHash: string | null;
  /** Why the session never showed a frame, in one sentence; null where it did. */
  readonly whyNotPlayed: string | null;
}

/** A finished session, read from its log. It replaces the log: a campaign's logs together would fill the memory. */
export interface FinishedSession extends JudgedSession {
  readonly figures: ReadonlyMap<string, Measured>;
  /** Whether an error ended the session's playback. */
  readonly gaveUp: boolean;
}

/** Sessions that have a whole log, by id. */
export type FinishedSessions = ReadonlyMap<string, FinishedSession>;

/** Finished sessions by id, read from logs or from rows. */
export type JudgedSessions = ReadonlyMap<string, JudgedSession>;

/** Reads the sessions of a plan that have a whole log in the campaign's folder; each log is read once. */
export function finishedSessions(
  { sessions, campaign }: Pick<CampaignPlan, 'sessions' | 'campaign'>,
  outDir: string,
  metrics: readonly Metric[] = headlines,
): FinishedSessions {
  const wanted = [...new Set([...metrics, ...known.filter(({ id }) => id === campaign.primary)])];
  const found = new Map<string, FinishedSession>();
  for (const session of sessions) {
    const log = readOwnLog(outDir, session);
    if (log !== null) found.set(session.id, finishedSession(session, log, wanted));
  }
  return withSplitFlags({ sessions, campaign }, found);
}

/** Measures the whole log of a planned session. */
export function finishedSession(
  session: PlannedSession,
  log: SessionLog,
  metrics: readonly Metric[],
): FinishedSession {
  const { browser, userAgent, machine, simulator } = log.environment;
  return {
    environment: { browser, userAgent, ...(machine && { machine }), ...(simulator && { simulator }) },
    startedAtUnixMs: log.clock.startedAtUnixMs,
    figures: new Map(metrics.map((metric) => [metric.id, metric.of(log)])),
    flags: invalidatingFlags(session, log.environment),
    playbackHash: playbackHashOf(log),
    whyNotPlayed: whyNotPlayed(log),
    gaveUp: gaveUp(log),
  };
}

/** Returns the sessions of a plan that have no whole log in the campaign's folder, in the plan's order. */
export const sessionsToDo = (
  { sessions }: Pick<CampaignPlan, 'sessions'>,
  outDir: string,
): PlannedSession[] => sessions.filter((session) => readOwnLog(outDir, session) === null);

/** Reads the whole log of a planned session in the campaign's folder, or returns null. */
export function readOwnLog(outDir: string, session: PlannedSession): SessionLog | null {
  const file = path.join(logDirOf(outDir), `${session.id}.json`);
  return ownLog(session, existsSync(file) ? readFileSync(file, 'utf8') : null);
}

/**
 * Refuses a folder with sessions of the other kind. Sessions of browsers and of the simulator are never in one folder:
 * whichever came first would count for both. The first log that is found stands for all. @throws Error in one sentence
 */
export function refuseOtherPlayer(
  { sessions }: Pick<CampaignPlan, 'sessions'>,
  outDir: string,
  { simulates }: { readonly simulates: boolean },
): void {
  for (const session of sessions) {
    const log = readOwnLog(outDir, session);
    if (log === null) continue;
    if ((log.environment.simulator != null) === simulates) return;
    throw new Error(
      simulates
        ? `${outDir}: This folder has sessions that browsers played, and simulated ones need a folder of their own: name another one with --out.`
        : `${outDir}: This folder has simulated sessions, and those of browsers need a folder of their own: name another one with --out.`,
    );
  }
}

/**
 * Refuses a folder whose rules had other parameters. A version may play the same text of a rule with others than the version
 * that began the folder: an arm would have both. The first log of each rule stands for all. @throws Error in one sentence
 */
export function refuseOtherParameters({ sessions }: Pick<CampaignPlan, 'sessions'>, outDir: string): void {
  const seen = new Set<string>();
  for (const session of sessions) {
    if (seen.has(session.rule)) continue;
    const log = readOwnLog(outDir, session);
    if (log === null) continue;
    seen.add(session.rule);
    const rule = ruleOf(splitWeights(session.rule).spec, abrRules);
    const [other] = rule.ok ? otherParameters(log.environment.ruleParameters, rule.value) : [];
    if (other)
      throw new Error(
        `${outDir}: Its sessions of ${session.rule} were played with ${other.name}=${other.recorded}, and this version plays them with ${other.name}=${other.now}. Sessions of both are not compared: name another folder with --out, or go on with the version that began this one.`,
      );
  }
}

/** Numbers of sessions that were set aside to be played again. */
export interface SetAside {
  readonly invalidated: number;
  /** Number of other finished sessions that these are compared with. */
  readonly partners: number;
}

/**
 * Turns the last try of each invalidated session, and of those that it is compared with, into a failed try: the log becomes
 * the log of a try, the reason goes into the list of failures, and the session is to be played again. Ignores what it measured.
 */
export async function setAsideInvalidated(
  { sessions, campaign }: Pick<CampaignPlan, 'sessions' | 'campaign'>,
  outDir: string,
): Promise<SetAside> {
  const logDir = logDirOf(outDir);
  let [invalidated, all] = [0, 0];
  for (const pair of comparedIn({ sessions, campaign })) {
    const logs = pair.flatMap((session) => {
      const log = readOwnLog(outDir, session);
      return log === null ? [] : [{ session, environment: log.environment }];
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
    all += (await setPairAside({ logDir, pair }, because)).length;
    invalidated += flagged.length;
  }
  return { invalidated, partners: all - invalidated };
}

/** Counts the finished sessions that are to be played again, because earlier runs left their pairs in parts. */
export async function countBroken(
  { sessions, campaign }: Pick<CampaignPlan, 'sessions' | 'campaign'>,
  outDir: string,
  nowUnixMs: number,
): Promise<number> {
  let count = 0;
  for (const pair of comparedIn({ sessions, campaign })) {
    const broken = await brokenPair({ logDir: logDirOf(outDir), startedAtUnixMs: nowUnixMs, pair });
    count += broken?.finished.length ?? 0;
  }
  return count;
}
