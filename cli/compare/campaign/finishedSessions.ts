import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { courseOf } from './courseOf.ts';
import { logDirOf } from './sessionsToDo.ts';
import type { Measured, Metric } from '../../../src/analysis/metric.ts';
import { isFinished } from '../../../src/campaign/isFinished.ts';
import type { CampaignPlan } from '../../../src/campaign/plan.ts';
import { readSession } from '../../../src/telemetry/schema/readSession.ts';

/** What a table needs of a log; a campaign's logs together would fill the memory. */
export interface FinishedSession {
  /** In the order of the metrics that were asked for. */
  readonly figures: readonly Measured[];
  /** In which ways the machine was the bottleneck; empty for a session that nobody watched. */
  readonly flags: readonly string[];
  /** What a simulator played, as a hash; null for a real player. */
  readonly course: string | null;
}

/** The sessions of a plan that have a whole log in the campaign's folder, by id. */
export function finishedSessions(
  { sessions }: Pick<CampaignPlan, 'sessions'>,
  outDir: string,
  metrics: readonly Metric[],
): ReadonlyMap<string, FinishedSession> {
  const found = new Map<string, FinishedSession>();
  for (const session of sessions) {
    const file = path.join(logDirOf(outDir), `${session.id}.json`);
    const text = existsSync(file) ? readFileSync(file, 'utf8') : null;
    const log = text !== null && isFinished(session, text) ? readSession(text) : null;
    if (!log?.ok) continue;
    const figures = metrics.map((metric) => metric.of(log.value));
    const flags = log.value.environment.machine?.flags ?? [];
    found.set(session.id, { figures, flags, course: courseOf(log.value) });
  }
  return found;
}
