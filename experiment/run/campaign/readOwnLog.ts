import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { logDirOf } from '../../../node/logDirOf.ts';
import { ownLog } from '../../plan/ownLog.ts';
import type { PlannedSession } from '../../plan/plan.ts';
import type { SessionLog } from '../../../src/telemetry/schema/sessionLog.ts';

/** The whole log of a planned session in the campaign's folder, or null. */
export function readOwnLog(outDir: string, session: PlannedSession): SessionLog | null {
  const file = path.join(logDirOf(outDir), `${session.id}.json`);
  return ownLog(session, existsSync(file) ? readFileSync(file, 'utf8') : null);
}
