import { existsSync, readFileSync } from 'node:fs';
import { playbackHashOf } from '../run/campaign/playbackHashOf.ts';
import { sessionFiles } from '../run/play/sessionFiles.ts';
import { belongsTo } from '../plan/finishedLog.ts';
import { failures, type Failure } from '../plan/failure.ts';
import type { PlannedSession } from '../plan/plan.ts';
import type { ReadSession, SessionOutcome, SessionState } from '../../src/report/reportSource.ts';
import { sessionSummary } from '../../src/report/sessionSummary.ts';
import { failed, type Result } from '../../src/shared/result.ts';
import { readSession } from '../../src/telemetry/schema/readSession.ts';
import type { SessionLog } from '../../src/telemetry/schema/sessionLog.ts';

/** What a campaign's folder says of a planned session. Its log is read once, reduced and dropped. */
export function readSummary(logDir: string, session: PlannedSession): ReadSession {
  const files = sessionFiles(logDir, session.id);
  const tries = failedTries(files.failures);
  const log = logOf(files.log, session);
  const outcome = (state: SessionState, why: string | null): SessionOutcome => ({
    ...{ id: session.id, state, why },
    failedTries: tries.length,
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

/** null where there is no file. */
function logOf(file: string, session: PlannedSession): Result<SessionLog> | null {
  if (!existsSync(file)) return null;
  const log = readSession(readFileSync(file, 'utf8'));
  return log.ok && !belongsTo(session, log.value)
    ? failed('This is the log of another session, or of another plan.')
    : log;
}

interface FailedTry {
  readonly failure: string;
  readonly message: string;
}

function failedTries(file: string): FailedTry[] {
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => tryIn(line) ?? []);
}

/** null for a line that was torn while it was written, or that says nothing of a failure. */
function tryIn(line: string): FailedTry | null {
  try {
    const { failure, message } = JSON.parse(line) as Partial<Record<string, unknown>>;
    return typeof failure === 'string' ? { failure, message: String(message ?? failure) } : null;
  } catch {
    return null;
  }
}

function stateOf(failure: string): SessionState {
  const known: Failure | undefined = failures.find(({ id }) => id === failure);
  if (known?.whose !== 'outcome') return 'laboratory';
  return known.id === 'stream-did-not-start' ? 'never-started' : 'gave-up';
}
