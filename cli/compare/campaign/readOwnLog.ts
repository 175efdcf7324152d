import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { logDirOf } from './logDirOf.ts';
import { ownLog } from '../../../src/campaign/ownLog.ts';
import type { PlannedSession } from '../../../src/campaign/plan.ts';
import type { SessionLog } from '../../../src/telemetry/schema/sessionLog.ts';

/** The whole log of a planned session in the campaign's folder, or null. */
export function readOwnLog(outDir: string, session: PlannedSession): SessionLog | null {
  const file = path.join(logDirOf(outDir), `${session.id}.json`);
  return ownLog(session, existsSync(file) ? readFileSync(file, 'utf8') : null);
}
