import { playbackHashOf } from './playbackHashOf.ts';
import { readOwnLog } from './readOwnLog.ts';
import { headlines } from '../metricCell.ts';
import type { Measured, Metric } from '../../../src/analysis/metrics/metric.ts';
import { metrics as known } from '../../../src/analysis/metrics/registry.ts';
import { whyNotPlayed } from '../../../src/analysis/timeline/played.ts';
import type { CampaignPlan } from '../../plan/plan.ts';

/** What table and verdicts need of a log; a campaign's logs together would fill the memory. */
export interface FinishedSession {
  /** By id: of the metrics that were asked for, and of the campaign's primary one. */
  readonly figures: ReadonlyMap<string, Measured>;
  /** In which ways the machine was the bottleneck; empty for a session that nobody watched. */
  readonly flags: readonly string[];
  /** What a simulator played, as a hash; null for a real player. */
  readonly playbackHash: string | null;
  /** Why it never showed a frame, in one sentence; null where it did. */
  readonly whyNotPlayed: string | null;
}

/** By the session's id. */
export type FinishedSessions = ReadonlyMap<string, FinishedSession>;

/** The sessions of a plan that have a whole log in the campaign's folder; each log is read once. */
export function finishedSessions(
  { sessions, campaign }: Pick<CampaignPlan, 'sessions' | 'campaign'>,
  outDir: string,
  metrics: readonly Metric[] = headlines,
): FinishedSessions {
  const wanted = new Set([...metrics, ...known.filter(({ id }) => id === campaign.primary)]);
  const found = new Map<string, FinishedSession>();
  for (const session of sessions) {
    const log = readOwnLog(outDir, session);
    if (log === null) continue;
    const figures = new Map(Array.from(wanted, (metric) => [metric.id, metric.of(log)]));
    const flags = log.environment.machine?.flags ?? [];
    found.set(session.id, {
      figures,
      flags,
      playbackHash: playbackHashOf(log),
      whyNotPlayed: whyNotPlayed(log),
    });
  }
  return found;
}
