import { rename } from 'node:fs/promises';
import { logDirOf } from './logDirOf.ts';
import { readOwnLog } from './readOwnLog.ts';
import type { CampaignPlan } from '../../../src/campaign/plan.ts';
import { keepFailure } from '../../../e2e/compare/keepFailure.ts';
import { SessionFailure } from '../../../e2e/compare/sessionFailure.ts';
import { sessionFiles } from '../../../e2e/compare/sessionFiles.ts';

/**
 * Makes a failed try of each finished session that the machine spoilt in its last one: the log becomes that of a try, why goes
 * into the list of failures, and the session is to be played. What it measured is not looked at. Resolves to how many there were.
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
