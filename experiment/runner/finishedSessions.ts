import { headlines } from './metricCells.ts';
import type { Measured, Metric } from '../../src/analysis/metrics/metric.ts';
import { metrics as known } from '../../src/analysis/metrics/registry.ts';
import { gaveUp, whyNotPlayed } from '../../src/analysis/timeline/played.ts';
import type { CampaignPlan, PlannedSession } from '../design/plan.ts';
import { sessionsToPlay } from '../design/variants.ts';
import { invalidatingFlags, withSplitFlags } from '../verdict/flagged.ts';
import type { PlayedSession } from '../verdict/scope.ts';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { logDirOf } from '../../node/logFiles.ts';
import { ownLog } from '../design/finishedLog.ts';
import { pickFields } from '../../src/shared/jsonObject.ts';
import type { SessionLog } from '../../src/telemetry/schema/sessionLog.ts';
import { createHash } from 'node:crypto';
import { isSimulated } from '../../src/telemetry/isSimulated.ts';

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

/** Reads the sessions of a plan and of its variants that have a whole log in the campaign's folder; each log is read once. */
export function finishedSessions(
  { campaign, ...plan }: Pick<CampaignPlan, 'sessions' | 'campaign' | 'variants'>,
  outDir: string,
  metrics: readonly Metric[] = headlines,
): FinishedSessions {
  const sessions = sessionsToPlay(plan);
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
  return {
    environment: pickFields(log.environment, ['browser', 'userAgent', 'machine', 'simulator']),
    startedAtUnixMs: log.clock.startedAtUnixMs,
    figures: new Map(metrics.map((metric) => [metric.id, metric.of(log)])),
    flags: invalidatingFlags(session, log.environment),
    playbackHash: playbackHashOf(log),
    whyNotPlayed: whyNotPlayed(log),
    gaveUp: gaveUp(log),
  };
}

/** Reads the whole log of a planned session in the campaign's folder, or returns null. */
export function readOwnLog(outDir: string, session: PlannedSession): SessionLog | null {
  const file = path.join(logDirOf(outDir), `${session.id}.json`);
  return ownLog(session, existsSync(file) ? readFileSync(file, 'utf8') : null);
}

/**
 * What a simulator played, as a hash: every moment, size and rung of every event, down to the fraction of a millisecond,
 * without the session's own names; null for a real player. Numbers alone distinguish two sessions, at a tenth of the time of
 * the whole text.
 */
export function playbackHashOf(log: SessionLog): string | null {
  if (!isSimulated(log)) return null;
  const numbers: number[] = [];
  for (const event of log.events) {
    numbers.push(event.kind.length, event.kind.charCodeAt(0));
    for (const name in event) {
      const value: unknown = event[name as keyof typeof event];
      // A rule gets a seed also where it draws no random numbers; where it does, its decisions show them.
      if (typeof value === 'number' && name !== 'seed') numbers.push(value);
    }
  }
  return createHash('sha256').update(Float64Array.from(numbers)).digest('hex');
}
