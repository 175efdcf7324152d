import { existsSync, readFileSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import path from 'node:path';
import { logDirOf } from './sessionsToDo.ts';
import { belongsTo } from '../../../src/campaign/belongsTo.ts';
import type { CampaignPlan } from '../../../src/campaign/plan.ts';
import { readSession } from '../../../src/telemetry/schema/readSession.ts';
import { keepFailure } from '../../../e2e/compare/keepFailure.ts';
import { SessionFailure } from '../../../e2e/compare/sessionFailure.ts';
import { sessionFiles } from '../../../e2e/compare/sessionFiles.ts';

/**
 * Makes a failed try of each finished session that the machine spoilt in its last one: the log becomes that of a try, why goes
 * into the list of failures, and the session is to be played. What it measured is not looked at. Resolves to how many there were.
 */
export async function setAsideSpoilt(
  { sessions }: Pick<CampaignPlan, 'sessions'>,
  outDir: string,
): Promise<number> {
  const logDir = logDirOf(outDir);
  let count = 0;
  for (const session of sessions) {
    const { log: file, partial } = sessionFiles(logDir, session.id);
    const log = existsSync(file) ? readSession(readFileSync(file, 'utf8')) : null;
    if (!log?.ok || !belongsTo(session, log.value)) continue;
    const flags = log.value.environment.machine?.flags ?? [];
    if (flags.length === 0) continue;
    await keepFailure(
      path.join(logDir, `${session.id}.failures.jsonl`),
      new SessionFailure('guard-tripped', flags.join(' ')),
    );
    await rename(file, partial);
    count += 1;
  }
  return count;
}
