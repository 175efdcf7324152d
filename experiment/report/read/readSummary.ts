import { existsSync, readFileSync } from 'node:fs';
import { playbackHashOf } from '../../runner/finishedSessions.ts';
import { sessionFiles } from '../../session/sessionFiles.ts';
import type { Metric } from '../../../src/analysis/metrics/metric.ts';
import { metrics } from '../../../src/analysis/metrics/registry.ts';
import { pick } from '../../../src/shared/registry.ts';
import { readFailures } from '../../session/failureFile.ts';
import { belongsTo } from '../../design/finishedLog.ts';
import { findFailure } from '../../design/failure.ts';
import type { PlannedSession } from '../../design/plan.ts';
import type { ReadSession, SessionOutcome, SessionState } from '../reportSource.ts';
import { sessionSummary } from '../sessionSummary.ts';
import { failed, type Result } from '../../../src/shared/result.ts';
import { readSession } from '../../../src/telemetry/schema/readSession.ts';
import type { SessionLog } from '../../../src/telemetry/schema/sessionLog.ts';

export interface SummaryPlace {
  readonly logDir: string;
  /** Id of the campaign's primary metric. */
  readonly primary: string;
}

/** What a campaign's folder says of a planned session. Its log is read once, reduced and dropped. */
export function readSummary({ logDir, primary }: SummaryPlace, session: PlannedSession): ReadSession {
  const files = sessionFiles(logDir, session.id);
  const tries = readFailures(files.failures);
  const log = logOf(files.log, session);
  const outcome = (state: SessionState, why: string | null): SessionOutcome => ({
    id: session.id,
    state,
    why,
    failedTries: tries.map(({ failure }) => failure),
    discarded: tries.length > 0 ? discardedValue(files.partial, primary) : null,
  });
  if (log?.ok) {
    const summary = sessionSummary(session, log.value, playbackHashOf(log.value));
    return { outcome: outcome('finished', null), summary };
  }
  if (log) return { outcome: outcome('unreadable', log.error), summary: null };
  const last = tries.at(-1);
  return last
    ? { outcome: outcome(stateOf(last.failure), last.message), summary: null }
    : { outcome: outcome('not-played', null), summary: null };
}

/** The primary metric in the log of a try that failed; null where there is none, or it has no value. */
function discardedValue(file: string, primary: string): number | null {
  const log = existsSync(file) ? readSession(readFileSync(file, 'utf8')) : null;
  const value = log?.ok ? pick<Metric>(metrics, primary).of(log.value).value : null;
  return Number.isFinite(value) ? value : null;
}

/** null where there is no file. */
function logOf(file: string, session: PlannedSession): Result<SessionLog> | null {
  if (!existsSync(file)) return null;
  const log = readSession(readFileSync(file, 'utf8'));
  return log.ok && !belongsTo(session, log.value)
    ? failed('This is the log of another session, or of another plan.')
    : log;
}

function stateOf(failure: string): SessionState {
  const known = findFailure(failure);
  if (known?.whose !== 'outcome') return 'laboratory';
  return known.id === 'stream-did-not-start' ? 'never-started' : 'gave-up';
}
