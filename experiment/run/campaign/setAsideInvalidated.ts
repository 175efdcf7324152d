import { rename } from 'node:fs/promises';
import { logDirOf } from '../../../node/logDirOf.ts';
import { readOwnLog } from './readOwnLog.ts';
import type { CampaignPlan } from '../../plan/plan.ts';
import { keepFailure } from '../play/keepFailure.ts';
import { SessionFailure } from '../play/sessionFailure.ts';
import { sessionFiles } from '../play/sessionFiles.ts';

/**
 * Turns the last try of each invalidated session into a failed try: its log becomes the log of a try, the reason goes
 * into the list of failures, and the session is to be played again. Ignores what it measured. Resolves to their number.
 */
export async function setAsideInvalidated(
  { sessions }: Pick<CampaignPlan, 'sessions'>,
  outDir: string,
): Promise<number> {
  const logDir = logDirOf(outDir);
  let count = 0;
  for (const session of sessions) {
    const flags = readOwnLog(outDir, session)?.environment.machine?.flags ?? [];
    if (flags.length === 0) continue;
    const files = sessionFiles(logDir, session.id);
    await keepFailure(files.failures, new SessionFailure('guard-tripped', flags.join(' ')));
    await rename(files.log, files.partial);
    count += 1;
  }
  return count;
}
