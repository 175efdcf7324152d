import type { PlannedSession } from './plan.ts';
import type { SessionLog } from '../../src/telemetry/schema/sessionLog.ts';

/** Whether a log is that of a planned session: a renamed file is not, nor one of another plan. */
export function belongsTo(
  { id, design }: Pick<PlannedSession, 'id' | 'design'>,
  log: Pick<SessionLog, 'id' | 'design'>,
): boolean {
  const fields = Object.keys(design) as (keyof typeof design)[];
  return log.id === id && fields.every((field) => log.design?.[field] === design[field]);
}
