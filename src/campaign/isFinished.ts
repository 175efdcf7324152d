import { belongsTo } from './belongsTo.ts';
import type { PlannedSession } from './plan.ts';
import { readSession } from '../telemetry/schema/readSession.ts';

/**
 * Whether a file's text is the whole, valid log of a planned session: one that was torn while it was written is not, nor
 * one of another session, also where a file was renamed. null stands for no file.
 */
export function isFinished(session: Pick<PlannedSession, 'id' | 'design'>, text: string | null): boolean {
  const log = text === null ? null : readSession(text);
  return log !== null && log.ok && belongsTo(session, log.value);
}
