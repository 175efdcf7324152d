import { ownLog } from './ownLog.ts';
import type { PlannedSession } from './plan.ts';

/** Whether a file's text is the whole, valid log of a planned session, as `ownLog` has it. */
export const isFinished = (session: Pick<PlannedSession, 'id' | 'design'>, text: string | null): boolean =>
  ownLog(session, text) !== null;
