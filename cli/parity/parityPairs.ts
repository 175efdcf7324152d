import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { type ParityPair, sessionFigures } from '../../src/analysis/parity.ts';
import type { SessionLog } from '../../src/telemetry/schema/sessionLog.ts';
import { logDirOf } from '../../node/logDirOf.ts';
import { readLog } from '../../node/readLog.ts';
import { formatFileError } from '../../node/formatFileError.ts';

/** The sessions that are in both folders, and why others do not count. */
export interface ParityPairs {
  readonly pairs: readonly ParityPair[];
  /** A sentence each. */
  readonly leftOut: readonly string[];
}

/**
 * Joins the logs of two folders by the ids of their sessions; a log at a time is held. A session in which the machine, not
 * the network, was the bottleneck is left out. @throws Error in one sentence
 */
export async function parityPairs(labDir: string, simulatedDir: string): Promise<ParityPairs> {
  const [lab, simulated] = [await logsIn(labDir), await logsIn(simulatedDir)];
  const both = lab.names.filter((name) => simulated.names.includes(name));
  if (both.length === 0)
    throw new Error(
      `${labDir} and ${simulatedDir} have no session in common. Name two folders of the same campaign.`,
    );
  const pairs: ParityPair[] = [];
  const leftOut: string[] = onlyIn(labDir, lab.names.length - both.length);
  leftOut.push(...onlyIn(simulatedDir, simulated.names.length - both.length));
  for (const name of both) {
    const one = await logOf(path.join(lab.folder, name));
    const other = await logOf(path.join(simulated.folder, name));
    const fault = faultOf(one, other);
    if (fault === null)
      pairs.push({ cell: one.design!.cell, lab: sessionFigures(one), simulated: sessionFigures(other) });
    else leftOut.push(`${one.id}: ${fault}`);
  }
  return { pairs, leftOut };
}

/** A campaign's folder, or the folder of its logs. */
async function logsIn(
  given: string,
): Promise<{ readonly folder: string; readonly names: readonly string[] }> {
  const folder = existsSync(logDirOf(given)) ? logDirOf(given) : given;
  const names = await readdir(folder).catch((error: unknown) => {
    throw new Error(formatFileError(folder, error));
  });
  return { folder, names: names.filter((name) => name.endsWith('.json') && name !== 'plan.json').sort() };
}

async function logOf(file: string): Promise<SessionLog> {
  const log = await readLog(file);
  if (!log.ok) throw new Error(`${file}: ${log.error}`);
  return log.value;
}

function faultOf(lab: SessionLog, simulated: SessionLog): string | null {
  if (lab.design === null || simulated.design?.cell !== lab.design.cell)
    return 'The two logs belong to different cells of a campaign.';
  const flags = lab.environment.machine?.flags ?? [];
  return flags.length > 0 ? `Invalidated by host overload: ${flags.join(' ')}` : null;
}

const onlyIn = (folder: string, count: number): string[] =>
  count > 0 ? [`${count} of the sessions in ${folder} are not in the other folder.`] : [];
