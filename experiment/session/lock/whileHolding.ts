import { mkdirSync, rmdirSync } from 'node:fs';
import { lockFolder } from './folderLock.ts';
import { EXIT } from '../../../node/exitCodes.ts';
import { formatFileError } from '../../../node/files.ts';
import type { Part } from './part.ts';

/**
 * Does some work, which resolves to an exit code, while nobody else plays into `folder`; makes the folder where there is none.
 * The lock is released when the work has ended in whatever way.
 *
 * @throws CodedError in one sentence when somebody else plays into the folder
 */
export async function whileHolding(folder: string, part: Part, work: () => Promise<number>): Promise<number> {
  const isNew = makeFolder(folder);
  let isLost = false;
  const say = (line: string): void => void process.stderr.write(`pitwall: ${line}\n`);
  const onLost = (): void => {
    isLost = true;
    say(`${folder}: The lock was removed or taken by another run. This run ends; complete logs are kept.`);
    interruptSelf();
  };
  const lock = await lockFolder(folder, { part, say, onLost });
  try {
    const code = await work();
    return isLost ? EXIT.folderInUse : code;
  } finally {
    lock.release();
    if (isNew) removeEmpty(folder);
  }
}

/** What was refused before anything was played leaves no folder. */
function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Something is in it.
  }
}

/** As Ctrl-C does, where somebody listens for it. */
function interruptSelf(): void {
  if (process.listenerCount('SIGINT') > 1) process.kill(process.pid, 'SIGINT');
  else process.exit(EXIT.folderInUse);
}

function makeFolder(folder: string): boolean {
  try {
    return mkdirSync(folder, { recursive: true }) !== undefined;
  } catch (error) {
    throw new Error(formatFileError(folder, error), { cause: error });
  }
}
