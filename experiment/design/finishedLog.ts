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

/** Whether a log is that of a planned session: a renamed file is not, nor one of another plan. */
export function belongsTo(
  { id, design }: Pick<PlannedSession, 'id' | 'design'>,
  log: Pick<SessionLog, 'id' | 'design'>,
): boolean {
  const fields = Object.keys(design) as (keyof typeof design)[];
  return log.id === id && fields.every((field) => log.design?.[field] === design[field]);
}

/** Whether a file's text is the whole, valid log of a planned session, as `ownLog` has it. */
export const isFinished = (session: Pick<PlannedSession, 'id' | 'design'>, text: string | null): boolean =>
  ownLog(session, text) !== null;
