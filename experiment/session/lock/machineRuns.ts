import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isLiving, thisProcess, type Owner } from './owner.ts';

/*
 * Which runs play on this machine, whatever folder they write into. Each run has a temporary folder while it plays, which a
 * watchdog removes when the run is killed; there it says who it is. Files and no socket, because every worker of a run looks
 * again and again, and each run has to see the others.
 */

/** The temporary folder of a run, below the folder for temporary files; the last six characters are drawn. */
export const RUN_FOLDER = '/pitwall-run-XXXXXX';
const PREFIX = RUN_FOLDER.slice(1, -6);
const FILE = 'run.json';

/** A run of `pitwall compare` or `papers run`. */
export interface MachineRun {
  readonly owner: Owner;
  /** Where its logs go. */
  readonly folder: string;
  /** The process whose tree is its own: runs of one larger program, as of a test, are one run. */
  readonly rootPid: number;
}

/** Names the process whose tree counts as one run: a larger program that starts several. */
const ROOT_VARIABLE = 'PITWALL_RUN_ROOT';

/** The process whose tree is a run's own: this one, unless the environment names one that it belongs to. */
export function runRootPid(environment: NodeJS.ProcessEnv = process.env): number {
  const named = Number(environment[ROOT_VARIABLE]);
  return Number.isInteger(named) && named > 0 ? named : process.pid;
}

export const makeRunFolder = (within = tmpdir()): string => mkdtempSync(path.join(within, PREFIX));

/** Says in the temporary folder of a run who plays. */
export function announceRun(runFolder: string, run: Omit<MachineRun, 'owner'>): void {
  const said: MachineRun = { owner: thisProcess(undefined), ...run };
  writeFileSync(path.join(runFolder, FILE), JSON.stringify(said));
}

/** The runs that play on this machine now and do not belong to the tree of `rootPid`; those of other users are not seen. */
export function otherRuns(rootPid: number, within = tmpdir()): MachineRun[] {
  return runFolders(within).flatMap((name) => {
    const run = runIn(path.join(within, name, FILE));
    return run !== null && run.rootPid !== rootPid && isLiving(run.owner) === true ? [run] : [];
  });
}

function runFolders(within: string): string[] {
  try {
    return readdirSync(within).filter((name) => name.startsWith(PREFIX));
  } catch {
    return [];
  }
}

/** null for a file that is gone, is being written, is another user's, or is none of ours. */
function runIn(file: string): MachineRun | null {
  try {
    const run = JSON.parse(readFileSync(file, 'utf8')) as Partial<MachineRun> | null;
    const isRun = typeof run?.rootPid === 'number' && typeof run.owner?.pid === 'number';
    return isRun ? (run as MachineRun) : null;
  } catch {
    return null;
  }
}

/** One sentence about runs that disturb this one, and that it disturbs; null where there are none. */
export function formatOtherRuns(others: readonly MachineRun[]): string | null {
  const [first] = others;
  if (first === undefined) return null;
  const more = others.length > 1 ? ` and ${others.length - 1} more` : '';
  return `another run plays on this machine (process ${first.owner.pid}, ${first.folder})${more}: sessions over emulated links of both runs will not count`;
}
