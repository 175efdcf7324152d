import { belongsTo } from './belongsTo.ts';
import type { PlannedSession } from './plan.ts';
import { readSession } from '../../src/telemetry/schema/readSession.ts';
import type { SessionLog } from '../../src/telemetry/schema/sessionLog.ts';

/**
 * A file's text as the whole, valid log of a planned session: one that was torn while it was written is none, nor one of
 * another session, also where a file was renamed. null for those, and for no file, which null stands for.
 */
export function ownLog(
  session: Pick<PlannedSession, 'id' | 'design'>,
  text: string | null,
): SessionLog | null {
  const log = text === null ? null : readSession(text);
  return log?.ok && belongsTo(session, log.value) ? log.value : null;
}
