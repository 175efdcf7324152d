import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { SessionFiles } from './sessionFiles.ts';
import { writeWhole } from './writeWhole.ts';

const MAX_LINES = 3;

/** Keeps the faults of a session's transport sources beside its log; returns lines about them for the terminal. */
export async function keepFaults(
  { raceFaults }: Pick<SessionFiles, 'raceFaults'>,
  faults: readonly string[],
): Promise<string[]> {
  if (faults.length === 0) {
    await rm(raceFaults, { force: true });
    return [];
  }
  await writeWhole(raceFaults, `${JSON.stringify(faults, null, 1)}\n`);
  const more = faults.length - MAX_LINES;
  return [
    ...faults.slice(0, MAX_LINES).map((fault) => `${path.basename(raceFaults)}: ${fault}`),
    ...(more > 0 ? [`${path.basename(raceFaults)}: and ${more} more`] : []),
  ];
}
